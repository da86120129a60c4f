// swift-tools-version: 6.2
import PackageDescription

// Makes ../synth-gm.sf2. Beside the package, so that the program's build does not include it.
let package = Package(
  name: "soundfont-generator",
  dependencies: [.package(name: "synth", path: "../..")],
  targets: [
    .target(name: "SoundFontSynthesis", dependencies: [.product(name: "SynthDSP", package: "synth")]),
    .executableTarget(
      name: "soundfont-builder", dependencies: ["SoundFontSynthesis"], path: "Sources/SoundFontBuilder"),
    .systemLibrary(name: "FluidSynthLibrary", path: "Tests/FluidSynthLibrary"),
    .testTarget(name: "SoundFontBuilderTests", dependencies: ["SoundFontSynthesis", "FluidSynthLibrary"]),
  ],
  swiftLanguageModes: [.v6]
)
