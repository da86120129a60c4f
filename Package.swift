// swift-tools-version: 6.2
import PackageDescription

// `realtime`, `thread` or `address`: leaves out the real-time tests that mean nothing under that sanitizer. The last
// two also want `--sanitize` (and `thread` also `-c release`), and each a `--scratch-path` of its own.
let sanitizer = Context.environment["SYNTH_SANITIZER"]
let excludedRealtimeTests =
  switch sanitizer {
  case "realtime": ["Probe", "Crossings", "ThreadSanitizer", "AddressSanitizer"]
  case "thread": ["Probe", "Path", "RealtimeSanitizer", "AddressSanitizer"]
  case "address": ["Probe", "Path", "RealtimeSanitizer", "ThreadSanitizer"]
  default: ["RealtimeSanitizer", "ThreadSanitizer", "AddressSanitizer"]
  }

// `SYNTH_TESTS="MIDITests DSPTests"` builds those test targets alone: where only they run, the others' build is saved.
let wantedTests = Context.environment["SYNTH_TESTS"]?.split(separator: " ").map(String.init)

// The floors of the house, lowest first; a module may import only lower floors.
let package = Package(
  name: "synth",
  products: [
    .library(name: "SynthKit", targets: ["SynthKit"]),
    .library(name: "SynthRemote", targets: ["SynthRemote"]),
    .library(name: "SynthFoundation", targets: ["SynthFoundation"]),
    .library(name: "AudioGraph", targets: ["AudioGraph"]),
    // For kernels in C: `#include <synth_render.h>`.
    .library(name: "CSynthRender", targets: ["CSynthRender"]),
    .library(name: "SynthInstruments", targets: ["SynthInstruments"]),
    .library(name: "SynthFluidSynth", targets: ["SynthFluidSynth"]),
    .library(name: "SynthMIDI", targets: ["SynthMIDI"]),
    .library(name: "SynthSoundFonts", targets: ["SynthSoundFonts"]),
    .library(name: "SynthALSA", targets: ["SynthALSA"]),
    .library(name: "SynthJACK", targets: ["SynthJACK"]),
    .library(name: "SynthAudioFiles", targets: ["SynthAudioFiles"]),
    .library(name: "SynthDSP", targets: ["SynthDSP"]),
    .library(name: "SynthLoudness", targets: ["SynthLoudness"]),
    .library(name: "SynthRealtime", targets: ["SynthRealtime"]),
    .executable(name: "synth", targets: ["synth"]),
  ],
  targets: [
    // 0: C seams, the only #include
    .target(name: "CSynthRealtime"),
    .target(name: "CSynthRender"),
    .target(name: "CSynthALSA", dependencies: ["CSynthRealtime"], linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "CSynthLoading"),
    .target(name: "CSynthMapping"),
    .target(name: "CSynthFluidSynth", dependencies: ["CSynthLoading", "CSynthRealtime"]),
    .target(name: "CSynthSpeexDSP", dependencies: ["CSynthLoading", "CSynthRealtime"]),
    .target(name: "CSynthSampling", dependencies: ["CSynthRealtime"]),
    .target(name: "CSynthEBUR128", linkerSettings: [.linkedLibrary("ebur128")]),
    .target(name: "CSynthSndfile", linkerSettings: [.linkedLibrary("sndfile")]),
    .target(name: "CSynthGcrypt", linkerSettings: [.linkedLibrary("gcrypt")]),
    .target(name: "CSynthLO", linkerSettings: [.linkedLibrary("lo")]),
    .target(name: "CSynthMySofa", dependencies: ["CSynthLoading"]),
    .target(name: "CSynthJACK", dependencies: ["CSynthLoading", "CSynthRealtime"]),
    .target(name: "CSynthProgram"),
    .target(name: "CSynthSystemBus", dependencies: ["CSynthLoading"]),
    .target(name: "CSynthWebSockets", dependencies: ["CSynthLoading"]),

    // 1: vocabulary; DSP and MIDI are blind to each other
    .target(name: "SynthText"),
    .target(name: "SynthFiles"),
    .target(name: "SynthRealtime", dependencies: ["CSynthRealtime", "CSynthSystemBus"]),
    .target(
      name: "SynthDSP",
      dependencies: [
        "SynthFiles", "SynthRealtime", "SynthText", "CSynthRealtime", "CSynthMySofa", "CSynthSampling",
        "CSynthSpeexDSP",
      ]),
    .target(name: "SynthMIDI", dependencies: ["SynthFiles", "SynthRealtime"]),
    .target(
      name: "SynthSoundFonts",
      dependencies: [
        "SynthFiles", "SynthRealtime", "SynthText", "CSynthMapping", "CSynthRealtime", "CSynthSndfile",
      ]),

    // 2: the graph and its render plan; what the graph does without
    .target(name: "SynthLoudness", dependencies: ["SynthDSP", "SynthText", "CSynthEBUR128"]),
    .target(
      name: "AudioGraph", dependencies: ["SynthRealtime", "SynthDSP", "SynthText", "CSynthRender"],
      // For functions that return a `Span`.
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),

    // 3: instruments, devices and files, blind to each other; an engine that is given to the instruments
    .target(
      name: "SynthInstruments",
      dependencies: [
        "AudioGraph", "SynthDSP", "SynthFiles", "SynthMIDI", "SynthRealtime", "SynthSoundFonts", "CSynthMapping",
      ]),
    .target(
      name: "SynthFluidSynth",
      dependencies: [
        "AudioGraph", "SynthFiles", "SynthInstruments", "SynthMIDI", "SynthRealtime", "SynthSoundFonts",
        "CSynthFluidSynth",
      ]),
    .target(
      name: "SynthALSA",
      dependencies: [
        "SynthFiles", "SynthRealtime", "SynthDSP", "SynthMIDI", "CSynthALSA", "CSynthRealtime", "CSynthSystemBus",
      ]),
    .target(
      name: "SynthJACK", dependencies: ["AudioGraph", "SynthMIDI", "SynthRealtime", "CSynthJACK", "CSynthRealtime"]),
    .target(
      name: "SynthAudioFiles",
      dependencies: ["AudioGraph", "SynthDSP", "SynthFiles", "SynthRealtime", "CSynthSndfile"]),

    // 4: the synthesizer
    .target(
      name: "SynthKit",
      dependencies: [
        "AudioGraph", "SynthInstruments", "SynthFluidSynth", "SynthALSA", "SynthJACK", "SynthAudioFiles", "SynthDSP",
        "SynthFiles", "SynthLoudness", "SynthMIDI", "SynthRealtime", "SynthSoundFonts", "SynthText", "CSynthSystemBus",
      ]),

    // 5: Foundation, for programs that use it; control from outside
    .target(name: "SynthFoundation", dependencies: ["SynthKit", "SynthRealtime"]),
    .target(
      name: "SynthRemote",
      dependencies: [
        "SynthDSP", "SynthFiles", "SynthKit", "SynthRealtime", "SynthText", "CSynthALSA", "CSynthGcrypt", "CSynthLO",
        "CSynthWebSockets",
      ]),

    // 6: the programs
    .executableTarget(
      name: "synth",
      dependencies: [
        "SynthKit", "SynthRemote", "SynthALSA", "SynthJACK", "SynthAudioFiles", "AudioGraph", "SynthDSP", "SynthFiles",
        "SynthInstruments", "SynthLoudness", "SynthMIDI", "SynthRealtime", "SynthSoundFonts", "SynthText",
        "CSynthGcrypt", "CSynthProgram", "CSynthRealtime", "CSynthSystemBus",
      ]),

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "DSPTests", dependencies: ["SynthDSP", "SynthRealtime", "CSynthLoading", "TestSupport"]),
    .testTarget(name: "LoudnessTests", dependencies: ["SynthDSP", "SynthLoudness"]),
    .testTarget(name: "MIDITests", dependencies: ["SynthMIDI", "TestSupport"]),
    .testTarget(
      name: "SoundFontsTests",
      dependencies: ["SynthSoundFonts", "SynthRealtime", "CSynthFluidSynth", "CSynthSndfile", "TestSupport"]),
    .testTarget(name: "ALSATests", dependencies: ["SynthALSA", "SynthDSP", "SynthMIDI", "TestSupport"]),
    .testTarget(
      name: "JACKTests",
      dependencies: [
        "SynthJACK", "SynthKit", "SynthMIDI", "SynthRealtime", "CSynthJACK", "RealtimeProbes", "TestSupport",
      ]),
    .testTarget(
      name: "AudioFilesTests",
      dependencies: [
        "SynthAudioFiles", "AudioGraph", "SynthDSP", "SynthRealtime", "TestSupport",
      ]),
    .testTarget(
      name: "AudioGraphTests",
      dependencies: [
        "AudioGraph", "SynthDSP", "SynthRealtime", "CSynthMySofa", "CSynthRender", "TestSupport",
      ]),
    .testTarget(
      name: "InstrumentsTests",
      dependencies: [
        "SynthInstruments", "SynthFluidSynth", "AudioGraph", "SynthDSP", "SynthMIDI", "SynthRealtime",
        "CSynthFluidSynth", "TestSupport",
      ]),

    // The audio thread never allocates, locks, waits, retains or releases.
    .target(
      name: "RealtimeProbes", dependencies: ["CSynthRealtime"], path: "Tests/RealtimeProbes",
      cSettings: sanitizer == "realtime" ? [.define("REALTIME_SANITIZER")] : []),
    .testTarget(
      name: "RealtimeTests",
      dependencies: [
        "SynthRealtime", "SynthALSA", "SynthAudioFiles", "AudioGraph", "SynthDSP", "SynthInstruments", "SynthMIDI",
        "CSynthFluidSynth", "SynthKit",
        "RealtimeProbes",
        "TestSupport",
      ],
      exclude: excludedRealtimeTests,
      swiftSettings: sanitizer == "thread" ? [.define("THREAD_SANITIZER")] : [],
      linkerSettings: sanitizer == "realtime" ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])] : []),
    .testTarget(
      name: "SynthKitTests",
      dependencies: [
        "SynthKit", "SynthFiles", "SynthFoundation", "SynthRemote", "SynthText", "CSynthFluidSynth", "TestSupport",
      ],
      exclude: ["Fingerprints"]),
    .testTarget(
      name: "RemoteTests",
      dependencies: [
        "SynthRemote", "SynthKit", "AudioGraph", "SynthMIDI", "SynthRealtime", "SynthText", "TestSupport",
      ]),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "synth", "AudioGraph", "SynthAudioFiles", "SynthDSP", "SynthKit", "SynthLoudness", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

if let wantedTests { package.targets.removeAll { $0.type == .test && !wantedTests.contains($0.name) } }
