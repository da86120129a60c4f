import SynthMIDI
import SynthRealtime
import SynthText

/// Watches what sources play: how many messages each channel has got, and the last one in words. It is given to a
/// session as one of its `copies`.
public final class MIDIMonitor: MIDISink {
  /// The last message.
  public struct Last: Sendable, Hashable {
    /// How many there have been in all.
    public let number: Int
    /// Among the channels of all ports, 0 to 63; nil for what is for no channel.
    public let channel: UInt8?
    /// "note on C4, velocity 100"
    public let text: String
    /// Whose it is.
    public let port: String
  }

  private struct State: Sendable {
    var counts = [Int](repeating: 0, count: MIDIPorts.channelCount)
    var total = 0
    var content: MIDISourceEvent.Content?
    var port = ""
  }

  private let state = CheckedMutex(State())

  public init() {}

  public func receive(_ event: MIDISourceEvent) {
    guard case .received(let content, let port, _) = event, !content.isClock else { return }
    state.withLock { state in
      state.total += 1
      (state.content, state.port) = (content, port.name)
      if case .message(let message) = content { state.counts[message.channelIndex] += 1 }
    }
  }

  /// For each channel of all ports, how many messages it has got. [any thread]
  public var counts: [Int] { state.withLock { $0.counts } }

  /// The last message; nil before the first. [any thread]
  public var last: Last? {
    state.withLock { state in
      guard let content = state.content else { return nil }
      let channel: UInt8? = if case .message(let message) = content { UInt8(message.channelIndex) } else { nil }
      return Last(number: state.total, channel: channel, text: content.words, port: state.port)
    }
  }
}

extension MIDISourceEvent.Content {
  /// As a person says it: "note on C4, velocity 100".
  public var words: String {
    switch self {
    case .message(let message): message.words
    case .systemExclusive(let bytes): "System Exclusive, \(NumberFormatting.count(bytes.count, "byte", "bytes"))"
    case .reset: "System Reset"
    case .clock(let message): "\(message)"
    }
  }
}

extension MIDIMessage {
  /// As a person says it, without its channel.
  var words: String {
    switch kind {
    case .noteOn: "note on \(Self.name(ofNote: note)), velocity \(velocity7)"
    case .noteOff: "note off \(Self.name(ofNote: note))"
    case .polyPressure: "pressure on \(Self.name(ofNote: note)), \(value7)"
    case .controlChange: "controller \(controller.rawValue)\(controller.name.map { " (\($0))" } ?? ""), \(value7)"
    case .programChange: "program \(program)\(bank.map { ", bank \($0 >> 7)" } ?? "")"
    case .channelPressure: "pressure, \(value7)"
    case .pitchBend: "pitch bend, \(Int(bend14) - 8192)"
    case .registeredController, .relativeRegisteredController: "registered parameter \(parameter)"
    case .assignableController, .relativeAssignableController: "assignable parameter \(parameter)"
    case .perNotePitchBend: "pitch bend of \(Self.name(ofNote: note))"
    case .registeredPerNoteController, .assignablePerNoteController: "controller of \(Self.name(ofNote: note))"
    case .perNoteManagement: "management of \(Self.name(ofNote: note))"
    case .systemExclusive: "System Exclusive"
    }
  }

  /// "C4" is 60, the middle C.
  static func name(ofNote note: UInt8) -> String {
    let names = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]
    return "\(names[Int(note) % 12])\(Int(note) / 12 - 1)"
  }
}

extension Controller {
  /// What people call it; nil for one without a usual name.
  var name: String? {
    switch self {
    case .bankSelect, .bankSelectLSB: "bank"
    case .modulation: "modulation"
    case .breath: "breath"
    case .foot: "foot"
    case .dataEntry, .dataEntryLSB: "data entry"
    case .volume: "volume"
    case .balance: "balance"
    case .pan: "pan"
    case .expression: "expression"
    case .sustain: "sustain pedal"
    case .portamento: "portamento"
    case .sostenuto: "sostenuto pedal"
    case .soft: "soft pedal"
    case .legato: "legato pedal"
    case .resonance: "resonance"
    case .brightness: "brightness"
    case .attackTime: "attack"
    case .releaseTime: "release"
    case .reverbSend: "reverb"
    case .chorusSend: "chorus"
    case .delaySend: "delay"
    case .allSoundOff: "all sound off"
    case .resetAllControllers: "reset all controllers"
    case .allNotesOff: "all notes off"
    default: nil
    }
  }
}
