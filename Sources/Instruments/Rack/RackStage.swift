import AudioGraph
import MIDI
import Realtime

/// The instruments that play, and those of before an exchange, which finish what they have begun. [audio thread]
///
/// One set can ring out beside the one that plays. Where another exchange comes meanwhile, it is faded first, in 256
/// frames, and the new set waits for that.
struct RackStage: ~Copyable {
  private static var fadeLength: Int32 {
    @_noLocks get { 256 }
  }

  private let sets: Handoff<RackSet>.Receiver
  private let presets: PresetNews
  private var present: Unmanaged<RackSet>?
  private var ringing: Unmanaged<RackSet>?
  /// How much of the fade of what rings out is left, in frames; nil where it rings freely.
  private var fade: Int32?

  init(_ sets: Handoff<RackSet>, _ presets: PresetNews) {
    self.sets = sets.receiver
    self.presets = presets
  }

  deinit {
    present?.release()
    ringing?.release()
  }

  /// Lets the set that was sent last play from this quantum on, with all that channels were told before.
  @_noLocks
  mutating func adopt() {
    if ringing != nil {
      if fade == nil, sets.isWaiting { fade = Self.fadeLength }
      return
    }
    var new: Unmanaged<RackSet>?
    guard sets.adopt(&new), let new else { return }
    if let present { core(new).pointee.takeOver(core(present)) }
    ringing = present
    fade = nil
    present = new
  }

  /// Ends all sound, and returns channels to what they are at first.
  @_noLocks
  mutating func reset() {
    // Nothing keeps a set that was sent from playing what begins now.
    if let set = ringing, sets.retire(set) { ringing = nil }
    adopt()
    if let ringing { core(ringing).pointee.reset() }
    if let present { core(present).pointee.reset() }
  }

  /// Returns everything to what it is when made.
  @_noLocks
  mutating func clear() {
    reset()
    if let ringing { core(ringing).pointee.clear() }
    if let present { core(present).pointee.clear() }
  }

  @_noLocks
  mutating func play(_ event: MIDIEvent, at frame: Int64) {
    if let ringing { core(ringing).pointee.playOut(event, at: frame) }
    if let present { core(present).pointee.play(event, at: frame) }
  }

  /// Adds a quantum to silent buses.
  ///
  /// - Returns: how many voices sound in it.
  @_noLocks
  mutating func render(_ context: RenderContext) -> Int {
    var voiceCount = 0
    if let ringing {
      voiceCount = core(ringing).pointee.render(context)
      if let left = fade { fade(context, from: left) }
      retireSilent()
    }
    if let present {
      voiceCount &+= core(present).pointee.render(context)
      core(present).pointee.publish(presets, serial: present._withUnsafeGuaranteedRef { $0.serial })
    }
    return voiceCount
  }

  /// Oscillator voices of what plays that could not be had.
  var lostVoiceCount: Int {
    @_noLocks get {
      guard let present else { return 0 }
      return core(present).pointee.voices.allocator.lostVoiceCount
    }
  }

  /// Tuning messages that were passed over.
  var refusedTuningCount: Int {
    @_noLocks get {
      guard let present else { return 0 }
      return core(present).pointee.voices.allocator.tuning.refusedCount
    }
  }

  /// Sends home what rings no more, unless there is no room on the way.
  @_noLocks
  private mutating func retireSilent() {
    guard let set = ringing, fade == 0 || core(set).pointee.isSilent else { return }
    if sets.retire(set) { ringing = nil }
  }

  @_noLocks
  private mutating func fade(_ context: RenderContext, from left: Int32) {
    let step = 1 / Float(Self.fadeLength)
    for channel in 0..<context.outputBusCount where !context.output(channel).isSilent {
      let bus = context.output(channel)
      var gain = Float(left) * step
      for frame in 0..<renderQuantum {
        gain -= step
        let factor = max(gain, 0)
        bus[0][frame] *= factor
        bus[1][frame] *= factor
      }
    }
    fade = max(left &- Int32(renderQuantum), 0)
  }

  @_noLocks
  private func core(_ set: Unmanaged<RackSet>) -> UnsafeMutablePointer<RackCore> {
    set._withUnsafeGuaranteedRef { $0.core }
  }
}
