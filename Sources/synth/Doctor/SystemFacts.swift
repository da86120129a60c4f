import SynthALSA
import SynthKit
import SynthRealtime

/// What `synth doctor` knows of the machine and of its user: read once, judged by checks afterwards.
struct SystemFacts {
  /// What a user may do with the device nodes in /dev/snd.
  enum Access {
    case allowed, denied
    /// No sound device is there.
    case absent
  }

  /// How the user stands to the group audio.
  enum Membership {
    /// This session has it.
    case present
    /// The user has been added since this session began.
    case fromNextLogin
    case none
  }

  /// A running program that mixes the sound of others.
  enum Server: String, CaseIterable {
    case pipeWire = "PipeWire"
    case pulseAudio = "PulseAudio"
    case jack = "JACK"
  }

  /// A device of a card that others have open, or have reserved.
  struct Use {
    let device: String
    let holders: [DeviceHolder]
    let reservation: String?
  }

  var user = "user"
  /// The kernel's release: 6.1.0-28-amd64.
  var kernel = ""
  var isContainer = false
  /// Sound hardware on PCI without a driver, by its vendor's and its own number: 8086:7e28.
  var driverless: [String] = []
  /// Each card once, by its name.
  var cards: [String] = []
  var access = Access.allowed
  var membership = Membership.present
  var uses: [Use] = []
  var servers: [Server] = []
  /// What JACK grants; nil where it does not run.
  var jack: Result<JACKParameters, JACKError>?
  /// The names of alsa-lib's outputs: default, pipewire, pulse…
  var outputs: [String] = []
  /// Of the device that was asked for.
  var device = "default"
  var trial: Result<TrialPlay, PCMError>?
  var scheduling = ThreadScheduling.unpaced
  /// Microseconds of each second that real-time threads may take; -1 for all.
  var realtimeShare = 950_000
  /// Bytes of memory that the user may lock; nil for all.
  var memoryLimit: UInt64?
  /// What steers the processors' clocks: performance, powersave…, with its driver.
  var governors: Set<Governor> = []
  var keyboards: Result<[String], SequencerError> = .success([])
  /// Who plays MIDI devices directly, which the sequencer cannot then.
  var rawMIDIHolders: [DeviceHolder] = []
  var font: Result<(path: String, origin: SoundFontLocator.Origin), SoundFontLocatorError>?
  /// Whether that can be read.
  var isFontReadable = true

  struct Governor: Hashable {
    let name: String
    let driver: String
  }
}
