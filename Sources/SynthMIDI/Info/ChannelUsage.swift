extension SongInfo {
  /// A channel with notes.
  public struct Channel: Hashable, Sendable {
    /// Among the channels of all ports, 0–63.
    public let number: UInt8
    /// What its notes are played with, in the order in which they first are.
    public internal(set) var programs: [Program] = []
    /// The lowest and the highest key.
    public internal(set) var keys: ClosedRange<UInt8>
    /// The largest number of keys that are held down at once.
    public internal(set) var polyphony = 0

    /// The number of notes.
    public var noteCount: Int { programs.reduce(0) { $0 + $1.noteCount } }
  }

  /// A program that a channel plays notes with.
  public struct Program: Hashable, Sendable {
    /// 0–127; nil where the channel has been given none, and most synthesizers play program 0.
    public let number: UInt8?
    /// The bank that a SoundFont is asked for: controller 0 in GS, controller 32 in XG, 0 in General MIDI.
    public let bank: UInt8
    /// Whether it is a drum set: on channel 10, by XG's banks from 120 on, and by GS's part modes.
    public let isDrums: Bool
    /// How many notes the channel plays with this program.
    public internal(set) var noteCount = 0
  }
}

extension Song {
  /// The channels with notes, and what these are played with.
  public var channels: [SongInfo.Channel] { ChannelUsage(self).channels }
}

/// What is played on the channels, by going through a song.
struct ChannelUsage {
  private(set) var channels: [SongInfo.Channel] = []
  private(set) var polyphony = 0

  private enum Style { case gm, gs, xg }

  private struct State {
    var program: UInt8?
    var bank: (coarse: UInt8, fine: UInt8) = (0, 0)
    /// What holds for notes: a bank counts from the next program change on.
    var selected = SongInfo.Program(number: nil, bank: 0, isDrums: false)
    var isDrumPart = false
    var heldCount = 0
    var usage: SongInfo.Channel?
  }

  /// Of each port.
  private var styles = [Style](repeating: .gs, count: MIDIPorts.count)
  private var states: [State] = []
  private var held = [Bool](repeating: false, count: MIDIPorts.channelCount * 128)
  private var heldCount = 0

  init(_ song: Song) {
    states = (0..<MIDIPorts.channelCount).map(Self.initial)
    for event in song.events {
      if event.message.kind == .systemExclusive {
        take(song.payload(of: event), firstChannel: event.message.channelIndex)
      } else {
        take(event.message)
      }
    }
    channels = states.compactMap(\.usage)
  }

  private static func initial(_ channel: Int) -> State {
    var state = State()
    state.isDrumPart = channel % 16 == Int(GeneralMIDI.drumChannel)
    state.selected = SongInfo.Program(number: nil, bank: 0, isDrums: state.isDrumPart)
    return state
  }

  private mutating func take(_ message: MIDIMessage) {
    let channel = message.channelIndex
    switch message.kind {
    case .noteOn: noteOn(channel, message.note)
    case .noteOff: release(channel, message.note)
    case .programChange:
      states[channel].program = message.program
      select(channel)
    case .controlChange:
      switch message.controller {
      case .bankSelect: states[channel].bank.coarse = message.value7
      case .bankSelectLSB: states[channel].bank.fine = message.value7
      case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn: releaseAll(channel)
      default: break
      }
    default: break
    }
  }

  private mutating func select(_ channel: Int) {
    let (state, style) = (states[channel], styles[channel / 16])
    let isXGDrums = style == .xg && state.bank.coarse >= 120
    let isDrums = isXGDrums || state.isDrumPart
    let bank = isDrums || style == .gm ? 0 : style == .xg ? state.bank.fine : state.bank.coarse
    states[channel].selected = SongInfo.Program(number: state.program, bank: bank, isDrums: isDrums)
  }

  private mutating func noteOn(_ channel: Int, _ key: UInt8) {
    var usage = states[channel].usage ?? SongInfo.Channel(number: UInt8(channel), keys: key...key)
    usage.keys = min(usage.keys.lowerBound, key)...max(usage.keys.upperBound, key)
    let program = states[channel].selected
    let place = usage.programs.firstIndex {
      ($0.number, $0.bank, $0.isDrums) == (program.number, program.bank, program.isDrums)
    }
    if place == nil { usage.programs.append(program) }
    usage.programs[place ?? usage.programs.count - 1].noteCount += 1
    if !held[channel << 7 | Int(key)] {
      held[channel << 7 | Int(key)] = true
      heldCount += 1
      states[channel].heldCount += 1
    }
    usage.polyphony = max(usage.polyphony, states[channel].heldCount)
    polyphony = max(polyphony, heldCount)
    states[channel].usage = usage
  }

  private mutating func release(_ channel: Int, _ key: UInt8) {
    guard held[channel << 7 | Int(key)] else { return }
    held[channel << 7 | Int(key)] = false
    heldCount -= 1
    states[channel].heldCount -= 1
  }

  private mutating func releaseAll(_ channel: Int) {
    for key in 0..<128 { release(channel, UInt8(key)) }
  }

  /// Resets decide what a bank is; GS's part mode decides where drums are.
  ///
  /// - Parameter firstChannel: of the port.
  private mutating func take(_ bytes: ArraySlice<UInt8>, firstChannel: Int) {
    let bytes = Array(bytes)
    switch bytes.count {
    case 4 where bytes[0] == 0x7E && bytes[2] == 9 && (bytes[3] == 1 || bytes[3] == 3): reset(.gm, firstChannel)
    case 7 where bytes[0] == 0x43 && bytes[2...] == [0x4C, 0, 0, 0x7E, 0]: reset(.xg, firstChannel)
    case 9 where bytes[0] == 0x41 && bytes[2...6] == [0x42, 0x12, 0x40, 0, 0x7F]: reset(.gs, firstChannel)
    case 9
    where bytes[0] == 0x41 && bytes[2...4] == [0x42, 0x12, 0x40] && bytes[5] & 0xF0 == 0x10 && bytes[6] == 0x15:
      // Parts 1 to 9 are the channels 1 to 9, part 0 is channel 10.
      let part = Int(bytes[5] & 0xF)
      let channel = firstChannel + (part == 0 ? 9 : part > 9 ? part : part - 1)
      states[channel].isDrumPart = bytes[7] > 0
      select(channel)
    default: break
    }
  }

  private mutating func reset(_ style: Style, _ firstChannel: Int) {
    styles[firstChannel / 16] = style
    for channel in firstChannel..<firstChannel + 16 {
      releaseAll(channel)
      let usage = states[channel].usage
      states[channel] = Self.initial(channel)
      states[channel].usage = usage
    }
  }
}
