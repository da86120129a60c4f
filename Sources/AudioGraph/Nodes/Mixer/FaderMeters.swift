import SynthDSP
import SynthRealtime

/// The two meters of a fader, as far as they are switched on. [audio thread]
struct FaderMeters {
  private let before: MeterWriter
  private let after: MeterWriter
  private let isOn: ParameterReader
  private let isOnBefore: ParameterReader

  init(before: Meter, after: Meter, of mixer: MixerNode, sampleRate: Double) {
    self.before = before.writer(sampleRate: sampleRate)
    self.after = after.writer(sampleRate: sampleRate)
    isOn = mixer.isMetered.reader
    isOnBefore = mixer.measuresBeforeFaders.reader
  }

  /// Measures a bus before the fader.
  @_noLocks
  @inline(__always)
  func measure(_ bus: Bus) {
    if isOnBefore.isOn, isOn.isOn { measureChannels(bus) }
  }

  @_noLocks
  @inline(never)
  private func measureChannels(_ bus: Bus) {
    for channel in 0..<2 {
      before.record(measureBlock(bus[min(channel, bus.channelCount &- 1)], count: renderQuantum), channel: channel)
    }
  }

  /// Notes what has passed the fader: `samples` under a gain.
  @_noLocks
  @inline(__always)
  func record(_ level: BlockLevel, of samples: UnsafePointer<Float>, _ gain: GainSegment, channel: Int) {
    guard isOn.isOn else { return }
    after.record(level, channel: channel)
    if level.peak > 1 {
      after.recordClips(clippedCount(samples, scaledBy: gain, count: renderQuantum), channel: channel)
    }
  }

  /// Notes a quantum of silence before and after the fader; true where nothing is left to fall.
  @_noLocks @discardableResult
  func recordSilence(channel: Int) -> Bool {
    let isQuietBefore = before.record(.silent, channel: channel)
    return after.record(.silent, channel: channel) && isQuietBefore
  }
}
