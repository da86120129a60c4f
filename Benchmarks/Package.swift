// swift-tools-version: 6.2
import PackageDescription

// Beside the package, so that nobody who uses it builds its benchmarks.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "synth", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "SynthAudioFiles", package: "synth"),
        .product(name: "AudioGraph", package: "synth"),
        .product(name: "SynthDSP", package: "synth"),
        .product(name: "SynthInstruments", package: "synth"),
        .product(name: "SynthMIDI", package: "synth"),
        .product(name: "SynthSoundFonts", package: "synth"),
        .product(name: "SynthKit", package: "synth"),
      ]),
    .executableTarget(name: "PluginVoices"),
    .target(name: "CResamplers", linkerSettings: [.linkedLibrary("samplerate"), .linkedLibrary("soxr")]),
    .executableTarget(
      name: "Resamplers", dependencies: ["CResamplers", .product(name: "SynthDSP", package: "synth")]),
    .executableTarget(
      name: "EchoCancellers",
      cxxSettings: [.define("WEBRTC_POSIX"), .unsafeFlags(["-I/usr/include/webrtc_audio_processing"])],
      linkerSettings: [
        .linkedLibrary("speexdsp"), .linkedLibrary("webrtc_audio_processing"), .linkedLibrary("m"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
