import Realtime

/// A sound engine in memory. The control thread makes and frees it; between the two, the audio thread alone touches its
/// state.
public final class LoadedEngine: @unchecked Sendable {
  let state: UnsafeMutableRawPointer
  let entry: RenderFunction
  let receivesAllNotes: Bool
  let presetName: (@Sendable (_ channel: Int, _ code: UInt32) -> ChannelPreset?)?
  /// The state, and what it points into.
  private let retained: [AnyObject]

  /// - Parameters:
  ///   - engine: moved into memory, and deinitialized with this object.
  ///   - retained: objects that the engine points into.
  ///   - receivesAllNotes: for an engine that selects its notes by channel and key itself.
  ///   - presetName: the preset of a channel, 0 to 15, by the code that `SoundEngine.preset(ofChannel:)` gave; nil for
  ///     the titles of the instruments on that channel.
  public init<Engine: SoundEngine & ~Copyable>(
    _ engine: consuming Engine, retaining retained: [AnyObject] = [], receivesAllNotes: Bool = false,
    presetName: (@Sendable (_ channel: Int, _ code: UInt32) -> ChannelPreset?)? = nil
  ) {
    let box = Box(engine)
    state = UnsafeMutableRawPointer(box.pointer)
    entry = Engine.entry
    self.receivesAllNotes = receivesAllNotes
    self.retained = [box] + retained
    self.presetName = presetName
  }
}

/// What a channel plays, for people.
public struct ChannelPreset: Sendable, Hashable {
  /// The soundfont's name of it, or a patch's title.
  public let name: String
  /// The soundfont's bank, 128 for drums; nil where an engine has no banks.
  public let bank: Int?
  /// 0 to 127; nil where an engine has no programs.
  public let program: Int?

  public init(name: String, bank: Int? = nil, program: Int? = nil) {
    self.name = name
    self.bank = bank
    self.program = program
  }
}
