import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("Master volume and balance")
struct MasterLevelTests {
  /// A note that is held, and the level of both sides before and after a message.
  private func levels(
    _ engine: SamplerEngine, _ messages: [[UInt8]]
  ) throws -> (before: Double, left: Double, right: Double) {
    try SineFont.withFile { font in
      let player = try PlayedRack([InstrumentAssignment(.sampler)], soundFonts: [font], engine: engine)
      player.play(.noteOn(channel: 0, note: 69, velocity7: 127))
      let before = rms(player.render(9600).suffix(4800))
      for message in messages { player.play(systemExclusive: message) }
      // Ramps take 20 ms.
      let after = player.renderStereo(9600)
      return (before, rms(after.left.suffix(4800)), rms(after.right.suffix(4800)))
    }
  }

  @Test("a volume of 0 silences what sounds: Device Control, GS and XG", arguments: SamplerEngine.allCases)
  func silence(_ engine: SamplerEngine) throws {
    let silent = [
      [0x7F, 0x7F, 0x04, 0x01, 0, 0], BothSamplers.gs(0x40, 0, 0x04, 0), BothSamplers.xg(0, 0, 0x04, 0),
      BothSamplers.xg(0, 0, 0x05, 127),
    ]
    for message in silent {
      let level = try levels(engine, [message])
      #expect(level.before > 0.01 && level.left == 0 && level.right == 0, "\(message)")
    }
  }

  @Test("half of a volume is -12 dB, for volumes are squares", arguments: SamplerEngine.allCases)
  func half(_ engine: SamplerEngine) throws {
    let level = try levels(engine, [[0x7F, 0x7F, 0x04, 0x01, 0, 64]])
    #expect(abs(level.left / level.before - 0.25) < 0.001)
  }

  @Test("balance leaves one side alone", arguments: SamplerEngine.allCases)
  func balance(_ engine: SamplerEngine) throws {
    for message in [[0x7F, 0x7F, 0x04, 0x02, 0, 0], BothSamplers.gs(0x40, 0, 0x06, 1)] as [[UInt8]] {
      let level = try levels(engine, [message])
      #expect(level.right == 0 && abs(level.left / level.before - 1) < 0.001, "\(message)")
    }
    let level = try levels(engine, [[0x7F, 0x7F, 0x04, 0x02, 0x7F, 0x7F]])
    #expect(level.left == 0 && level.right > 0.01)
  }

  @Test("a block of GS sets volume, key shift and pan at once; a wrong checksum sets nothing")
  func block() throws {
    let level = try levels(.native, [BothSamplers.gs(0x40, 0, 0x04, 64, 64, 1)])
    #expect(abs(level.left / level.before - Double(64 * 64) / (127 * 127)) < 0.001 && level.right == 0)
    let damaged = try levels(.native, [[0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x04, 0, 0x3B]])
    #expect(abs(damaged.left / damaged.before - 1) < 0.001)
  }

  /// A volume of 0 from the second quarter on; a note in each of four quarters of a second.
  private func song() throws -> Song {
    func note(after ticks: Int) -> [UInt8] { vlq(ticks) + [0x90, 69, 127] + vlq(200) + [0x80, 69, 0] }
    let silence: [UInt8] = [40, 0xF0, 7, 0x7F, 0x7F, 0x04, 0x01, 0, 0, 0xF7]
    // 480 ticks are half a second.
    let track = note(after: 0) + silence + note(after: 0) + note(after: 40) + end(after: 40)
    return Song(try MIDIFile(bytes: smf(format: 0, tracks: [track])))
  }

  @Test("a place behind a volume is played with it, and the next song without")
  func seek() throws {
    try SineFont.withFile { font in
      let player = try PlayedRack([InstrumentAssignment(.sampler)], soundFonts: [font], engine: .native)
      let timeline = Timeline(try song(), sampleRate: 48000)
      player.rack.events.play(timeline, from: 24_000)
      #expect(player.render(9600).allSatisfy { $0 == 0 })
      player.rack.events.play(timeline)
      _ = player.render(4800)
      #expect(rms(player.render(2400)) > 0.01)
    }
  }

  @Test("every reset and every song begin at full volume")
  func resets() throws {
    for reset in [[0x7E, 0x7F, 0x09, 0x01], BothSamplers.gsReset, BothSamplers.xgReset] {
      try SineFont.withFile { font in
        let player = try PlayedRack([InstrumentAssignment(.sampler)], soundFonts: [font], engine: .native)
        player.play(systemExclusive: [0x7F, 0x7F, 0x04, 0x01, 0, 0])
        _ = player.render(4800)
        player.play(systemExclusive: reset)
        _ = player.render(4800)
        player.play(.noteOn(channel: 0, note: 69, velocity7: 127))
        #expect(rms(player.render(4800)) > 0.01)
      }
    }
  }
}
