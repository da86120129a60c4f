// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Beside the package, so that nobody who uses it builds its examples. Each is one file.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "synth", path: "..")],
  targets: [
    "Tone", "PlayAlong", "LiveEqualizer", "OfflineRender", "CustomNode", "Effect", "LevelMeter", "Sequencing",
    "PassThrough", "Karaoke", "SpatialScene", "SamplerFromCode", "TwoPlayers", "BufferLoop", "EqualizerBands",
    "EffectChain",
    "MixerAutomation", "TapAnalysis", "TenMinutes", "ChannelRouting", "Components", "MIDIInOut", "WrongEdits",
  ].map { name in
    .executableTarget(
      name: name,
      dependencies: [.product(name: "AudioGraph", package: "synth"), .product(name: "SynthKit", package: "synth")],
      path: name,
      swiftSettings: settings)
  },
  swiftLanguageModes: [.v6]
)

// An effect whose kernel is in C.
package.targets += [
  .target(
    name: "SaturatorKernel", dependencies: [.product(name: "CSynthRender", package: "synth")], path: "SaturatorKernel"),
  .executableTarget(
    name: "Saturator", dependencies: ["SaturatorKernel", .product(name: "AudioGraph", package: "synth")],
    path: "Saturator", swiftSettings: settings),
]
