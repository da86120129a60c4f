// swift-tools-version: 6.1
import PackageDescription

// The floors of the house, lowest first; a module may import only lower floors.
let package = Package(
  name: "synth",
  products: [
    .library(name: "SynthKit", targets: ["SynthKit"]),
    .library(name: "AudioGraph", targets: ["AudioGraph"]),
    .library(name: "Instruments", targets: ["Instruments"]),
    .library(name: "MIDI", targets: ["MIDI"]),
    .library(name: "ALSA", targets: ["ALSA"]),
    .executable(name: "synth", targets: ["synth"]),
  ],
  targets: [
    // 0: C seams, the only #include
    .target(name: "CRealtime"),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "CFluidSynth", linkerSettings: [.linkedLibrary("fluidsynth")]),
    .target(name: "CSndfile", linkerSettings: [.linkedLibrary("sndfile")]),

    // 1: vocabulary, blind to each other
    .target(name: "Realtime", dependencies: ["CRealtime"]),
    .target(name: "DSP"),
    .target(name: "MIDI"),

    // 2: the graph and its render plan
    .target(name: "AudioGraph", dependencies: ["Realtime", "DSP", "MIDI"]),

    // 3: instruments, devices and files, blind to each other
    .target(name: "Instruments", dependencies: ["AudioGraph", "CFluidSynth"]),
    .target(name: "ALSA", dependencies: ["Realtime", "DSP", "CALSA"]),
    .target(name: "AudioFiles", dependencies: ["CSndfile"]),

    // 4: the synthesizer
    .target(name: "SynthKit", dependencies: ["AudioGraph", "Instruments", "ALSA", "AudioFiles"]),

    // 5: the programs
    .executableTarget(name: "synth", dependencies: ["SynthKit"]),
    .executableTarget(name: "soundfont-builder", path: "Sources/SoundFontBuilder"),

    .testTarget(name: "DSPTests", dependencies: ["DSP"]),
    .testTarget(name: "MIDITests", dependencies: ["MIDI"]),
    .testTarget(name: "ALSATests", dependencies: ["ALSA"]),
    .testTarget(name: "SynthKitTests", dependencies: ["SynthKit"]),
    .testTarget(name: "AudioGraphTests", dependencies: ["AudioGraph"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)
