// swift-tools-version: 6.1
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
    .library(name: "Remote", targets: ["Remote"]),
    .library(name: "AudioGraph", targets: ["AudioGraph"]),
    .library(name: "Instruments", targets: ["Instruments"]),
    .library(name: "MIDI", targets: ["MIDI"]),
    .library(name: "SoundFonts", targets: ["SoundFonts"]),
    .library(name: "ALSA", targets: ["ALSA"]),
    .library(name: "AudioFiles", targets: ["AudioFiles"]),
    .library(name: "DSP", targets: ["DSP"]),
    .library(name: "Realtime", targets: ["Realtime"]),
    .executable(name: "synth", targets: ["synth"]),
  ],
  targets: [
    // 0: C seams, the only #include
    .target(name: "CRealtime"),
    .target(name: "CALSA", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "CFluidSynth", dependencies: ["CRealtime"]),
    .target(name: "CSampleRate", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("samplerate")]),
    .target(name: "CSpeexDSP", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("speexdsp")]),
    .target(name: "CSampling", dependencies: ["CRealtime"]),
    .target(name: "CEBUR128", linkerSettings: [.linkedLibrary("ebur128")]),
    .target(name: "CSndfile", linkerSettings: [.linkedLibrary("sndfile")]),
    .target(name: "CGcrypt", linkerSettings: [.linkedLibrary("gcrypt")]),
    .target(name: "CLO", linkerSettings: [.linkedLibrary("lo")]),
    .target(name: "CMySofa", linkerSettings: [.linkedLibrary("mysofa")]),
    .target(name: "CProgram"),
    .target(name: "CSystemBus", linkerSettings: [.linkedLibrary("systemd")]),
    .target(name: "CWebSockets"),

    // 1: vocabulary; DSP and MIDI are blind to each other
    .target(name: "Text"),
    .target(name: "Realtime", dependencies: ["CRealtime", "CSystemBus"]),
    .target(
      name: "DSP",
      dependencies: ["Text", "CRealtime", "CEBUR128", "CMySofa", "CSampleRate", "CSampling", "CSpeexDSP"]),
    .target(name: "MIDI", dependencies: ["Realtime"]),
    .target(name: "SoundFonts", dependencies: ["Text", "CRealtime", "CSndfile"]),

    // 2: the graph and its render plan
    .target(name: "AudioGraph", dependencies: ["Realtime", "DSP", "Text"]),

    // 3: instruments, devices and files, blind to each other
    .target(name: "Instruments", dependencies: ["AudioGraph", "DSP", "MIDI", "Realtime", "SoundFonts", "CFluidSynth"]),
    .target(name: "ALSA", dependencies: ["Realtime", "DSP", "MIDI", "CALSA", "CRealtime", "CSystemBus"]),
    .target(name: "AudioFiles", dependencies: ["AudioGraph", "DSP", "Realtime", "CSndfile"]),

    // 4: the synthesizer
    .target(
      name: "SynthKit",
      dependencies: [
        "AudioGraph", "Instruments", "ALSA", "AudioFiles", "DSP", "MIDI", "Realtime", "SoundFonts", "Text",
        "CSystemBus",
      ]),

    // 5: control from outside
    .target(
      name: "Remote", dependencies: ["SynthKit", "Realtime", "Text", "CALSA", "CGcrypt", "CLO", "CWebSockets"]),

    // 6: the programs
    .executableTarget(
      name: "synth",
      dependencies: [
        "SynthKit", "Remote", "ALSA", "AudioFiles", "AudioGraph", "DSP", "Instruments", "MIDI", "Realtime",
        "SoundFonts", "Text", "CGcrypt", "CProgram", "CRealtime", "CSystemBus",
      ]),

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "DSPTests", dependencies: ["DSP", "Realtime", "TestSupport"]),
    .testTarget(name: "MIDITests", dependencies: ["MIDI", "TestSupport"]),
    .testTarget(name: "SoundFontsTests", dependencies: ["SoundFonts", "CFluidSynth", "CSndfile", "TestSupport"]),
    .testTarget(name: "ALSATests", dependencies: ["ALSA", "DSP", "MIDI", "TestSupport"]),
    .testTarget(name: "AudioFilesTests", dependencies: ["AudioFiles", "AudioGraph", "DSP", "Realtime", "TestSupport"]),
    .testTarget(name: "AudioGraphTests", dependencies: ["AudioGraph", "DSP", "Realtime", "CMySofa", "TestSupport"]),
    .testTarget(
      name: "InstrumentsTests",
      dependencies: ["Instruments", "AudioGraph", "DSP", "MIDI", "Realtime", "CFluidSynth", "TestSupport"]),

    // The audio thread never allocates, locks, waits, retains or releases.
    .target(
      name: "RealtimeProbes", dependencies: ["CRealtime"], path: "Tests/RealtimeProbes",
      cSettings: sanitizer == "realtime" ? [.define("REALTIME_SANITIZER")] : []),
    .testTarget(
      name: "RealtimeTests",
      dependencies: [
        "Realtime", "ALSA", "AudioFiles", "AudioGraph", "DSP", "Instruments", "MIDI", "CFluidSynth", "SynthKit",
        "RealtimeProbes",
        "TestSupport",
      ],
      exclude: excludedRealtimeTests,
      swiftSettings: sanitizer == "thread" ? [.define("THREAD_SANITIZER")] : [],
      linkerSettings: sanitizer == "realtime" ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])] : []),
    .testTarget(
      name: "SynthKitTests", dependencies: ["SynthKit", "CFluidSynth", "TestSupport"], exclude: ["Fingerprints"]),
    .testTarget(
      name: "RemoteTests",
      dependencies: ["Remote", "SynthKit", "AudioGraph", "MIDI", "Realtime", "Text", "TestSupport"]),
    .testTarget(name: "ProgramTests", dependencies: ["synth", "AudioFiles", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

if let wantedTests { package.targets.removeAll { $0.type == .test && !wantedTests.contains($0.name) } }
