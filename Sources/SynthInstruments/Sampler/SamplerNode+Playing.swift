import SynthMIDI

/// Every call may come from any thread but the audio thread, and returns false if the message was lost, or an argument
/// is out of range: nothing is played then. `time` is a frame of the engine; nil, or a time that has passed, is the
/// next quantum. Channels are 0 to 15, keys and values 0 to 127.
extension SamplerNode {
  /// Begins a note.
  ///
  /// - Parameter velocity: 1 to 127; 0 ends the note.
  @discardableResult
  public func noteOn(_ key: UInt8, velocity: UInt8 = 100, channel: UInt8 = 0, at time: Int64? = nil) -> Bool {
    send(channel, key, velocity, at: time) { .noteOn(channel: $0, note: $1, velocity7: $2) }
  }

  /// Ends a note: it is released, unless a pedal holds it.
  @discardableResult
  public func noteOff(_ key: UInt8, channel: UInt8 = 0, at time: Int64? = nil) -> Bool {
    send(channel, key, at: time) { channel, key, _ in .noteOff(channel: channel, note: key) }
  }

  /// Moves a controller: the modulation wheel, volume, the pedal.
  @discardableResult
  public func controlChange(
    _ controller: Controller, _ value: UInt8, channel: UInt8 = 0, at time: Int64? = nil
  ) -> Bool {
    send(channel, value, at: time) { channel, value, _ in
      .controlChange(channel: channel, controller, value7: value)
    }
  }

  /// Bends all notes of a channel.
  ///
  /// - Parameter bend: -1 to 1, to which it is clamped, of two semitones unless a registered parameter says otherwise;
  ///   NaN is refused.
  @discardableResult
  public func pitchBend(_ bend: Double, channel: UInt8 = 0, at time: Int64? = nil) -> Bool {
    guard !bend.isNaN else { return false }
    let part = (min(max(-1, bend), 1) + 1) / 2
    return send(channel, at: time) { channel, _, _ in
      .pitchBend(channel: channel, value32: UInt32(min(part * 4_294_967_296, 4_294_967_295)))
    }
  }

  /// Gives a channel another preset of the soundfont, for notes that begin from then on.
  ///
  /// - Parameter bank: 0 to 127; nil leaves the bank as it is. Drums have one bank.
  @discardableResult
  public func programChange(_ program: UInt8, bank: UInt8? = nil, channel: UInt8 = 0, at time: Int64? = nil) -> Bool {
    send(channel, program, bank ?? 0, at: time) { channel, program, number in
      .programChange(channel: channel, program: program, bank: bank.map { _ in UInt16(number) << 7 })
    }
  }

  /// Ends the notes of all channels: they are released, unless a pedal holds them.
  ///
  /// - Returns: whether no channel's message was lost.
  @discardableResult
  public func allNotesOff(at time: Int64? = nil) -> Bool { toAll(.allNotesOff, at: time) }

  /// Silences all channels at once, whatever pedals hold.
  ///
  /// - Returns: whether no channel's message was lost.
  @discardableResult
  public func allSoundOff(at time: Int64? = nil) -> Bool { toAll(.allSoundOff, at: time) }

  /// Sends a message of a channel with up to two values; false where one of them is out of range.
  private func send(
    _ channel: UInt8, _ first: UInt8 = 0, _ second: UInt8 = 0, at time: Int64?,
    _ message: (UInt8, UInt8, UInt8) -> MIDIMessage
  ) -> Bool {
    guard channel < RackNode.channelCount, first < 128, second < 128 else { return false }
    return send(message(channel, first, second), at: time)
  }

  private func toAll(_ controller: Controller, at time: Int64?) -> Bool {
    (0..<UInt8(RackNode.channelCount)).reduce(true) { isSent, channel in
      controlChange(controller, 0, channel: channel, at: time) && isSent
    }
  }
}
