import AudioGraph
import SynthDSP
import SynthRealtime

extension NativeEngine {
  /// Takes away from what a bus sends to effects what keys of drums send less than their channel. Before the voices are
  /// mixed, because their gains go on then.
  @_noLocks
  @inline(never)
  func correctSends(_ channel: Int, of bus: Bus, _ corrections: UnsafeMutablePointer<SendCorrections>) {
    for send in 0..<Bus.correctedSendCount {
      var mix = RowMix()
      var count = 0
      for rank in 0..<pool.count(ofChannel: channel) {
        let place = pool.place(channel, rank: rank)
        let voice = pool.voices + place
        guard voice.pointee.drum.sends[send] < 127, voice.pointee.isHeard(inQuantum: givenQuanta) else { continue }
        // Less than 0: what is missing.
        let share = Float(voice.pointee.drum.sends[send]) / 127 - 1
        sendGains[count] = pool.gains[place].scaled(
          by: share, to: voice.pointee.fullGain, frames: renderQuantum)
        mix.append(batches.row(voice.pointee.row, inQuantum: givenQuanta), sendGains + count)
        count &+= 1
        if count == RowMix.capacity {
          add(&mix, to: bus, send, corrections)
          count = 0
        }
      }
      if count > 0 { add(&mix, to: bus, send, corrections) }
    }
  }

  @_noLocks
  private func add(
    _ mix: inout RowMix, to bus: Bus, _ send: Int, _ corrections: UnsafeMutablePointer<SendCorrections>
  ) {
    _ = corrections.pointee.corrections(of: bus)
    guard let left = bus.correction(ofSend: send) else { return mix = RowMix() }
    mix.add(toLeft: left, right: left + renderQuantum)
  }
}
