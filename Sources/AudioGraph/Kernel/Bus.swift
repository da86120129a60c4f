import SynthRealtime

/// One bus during one quantum: `renderQuantum` frames per channel, float32, deinterleaved. [audio thread]
public struct Bus {
  @usableFromInline let buffer: UnsafeMutablePointer<BusBuffer>

  @_noLocks
  @usableFromInline init(buffer: UnsafeMutablePointer<BusBuffer>) { self.buffer = buffer }

  /// 0 for an input that nothing is connected to.
  public var channelCount: Int {
    @_noLocks @inlinable get { buffer.pointee.channelCount }
  }

  /// The samples of a channel; 64-byte aligned.
  public subscript(channel: Int) -> UnsafeMutablePointer<Float> {
    @_noLocks @inlinable get { buffer.pointee.samples + channel &* renderQuantum }
  }

  /// Whether every sample is zero. The code that sets it has zeroed the samples; `silence()` does both.
  public var isSilent: Bool {
    @_noLocks @inlinable get { buffer.pointee.isSilent }
    @_noLocks @inlinable nonmutating set { buffer.pointee.isSilent = newValue }
  }

  /// What is added to a stereo bus on its way to each of a mixer's first `correctedSendCount` sends, in
  /// `correctionRowCount` rows of a quantum: left and right for one send after the other. Nil for nothing.
  package var sendCorrections: UnsafeMutablePointer<Float>? {
    @_noLocks get { buffer.pointee.sendCorrections }
    @_noLocks nonmutating set { buffer.pointee.sendCorrections = newValue }
  }

  package static var correctedSendCount: Int {
    @_noLocks get { 3 }
  }

  package static var correctionRowCount: Int {
    @_noLocks get { 2 &* correctedSendCount }
  }

  /// The left of what is added on the way to a send; the right lies behind it.
  @_noLocks
  package func correction(ofSend send: Int) -> UnsafeMutablePointer<Float>? {
    guard let all = sendCorrections, send < Self.correctedSendCount else { return nil }
    return all + 2 &* send &* renderQuantum
  }

  /// Where the flag lies.
  var silenceFlag: UnsafeMutablePointer<Bool> {
    @_noLocks get { withUnsafeMutablePointer(to: &buffer.pointee.isSilent) { $0 } }
  }

  /// Zeroes the samples and raises the flag.
  @_noLocks
  @inlinable public func silence() {
    buffer.pointee.samples.update(repeating: 0, count: channelCount &* renderQuantum)
    isSilent = true
  }

  /// Makes non-finite samples 0, so that they do not stay in filters and delay lines.
  @_noLocks
  func makeFinite() { SynthRealtime.makeFinite(buffer.pointee.samples, count: channelCount &* renderQuantum) }
}

/// A bus's place in the plan's memory. The channels lie one after the other.
@usableFromInline struct BusBuffer {
  @usableFromInline let samples: UnsafeMutablePointer<Float>
  @usableFromInline let channelCount: Int
  @usableFromInline var isSilent: Bool
  var sendCorrections: UnsafeMutablePointer<Float>?
}
