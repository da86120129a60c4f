// swift-tools-version: 6.1
import PackageDescription

// Beside the package, so that nobody who uses it builds its examples. Each is one file.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "synth", path: "..")],
  targets: [
    "Tone", "PlayAlong", "LiveEqualizer", "OfflineRender", "CustomNode", "Effect", "LevelMeter", "Sequencing",
    "PassThrough", "Karaoke",
    "SpatialScene",
  ].map { name in
    .executableTarget(
      name: name,
      dependencies: ["AudioFiles", "AudioGraph", "DSP", "Instruments", "MIDI", "Realtime", "SynthKit"].map {
        .product(name: $0, package: "synth")
      },
      path: name)
  },
  swiftLanguageModes: [.v6]
)
