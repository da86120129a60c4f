// The font as libfluidsynth plays it.
import FluidSynthLibrary
import Glibc
import Testing

@Suite("The font through FluidSynth")
struct SoundTests {
  let player: FluidSynthPlayer

  init() throws { player = try #require(FluidSynthPlayer(font: fontPath)) }

  @Test("loads without a warning")
  func loads() {
    #expect(player.fontID != FLUID_FAILED)
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("every program sounds in every octave from key 24 to 108, centred, and stops after the note")
  func programs() {
    for program in 0..<128 {
      player.choose(program: program)
      for key in stride(from: 24, through: 108, by: 12) {
        player.noteOn(key)
        let held = player.render(seconds: 0.6)
        player.noteOff(key)
        let loudest = loudestTenth(held)
        #expect(loudest > 0.0002, "program \(program) key \(key) is silent")
        #expect(held.peak < 0.5, "program \(program) key \(key) is too loud")
        #expect(abs(held.mean) < 0.05 * loudest + 0.0005, "program \(program) key \(key) has direct current")
        player.silence()
      }
    }
  }

  @Test("every program is silent five seconds after its note ended")
  func releases() {
    for program in 0..<128 {
      player.choose(program: program)
      player.noteOn(60)
      let held = player.render(seconds: 0.5)
      player.noteOff(60)
      _ = player.render(seconds: 5)
      #expect(player.render(seconds: 0.1).rms < 0.001 * held.rms + 1e-6, "program \(program)")
    }
  }

  @Test("every drum from key 27 to 87 sounds and ends by itself within ten seconds")
  func drums() {
    player.choose(bank: 128, program: 0)
    for key in 27...87 {
      player.noteOn(key, velocity: 100)
      let struck = player.render(seconds: 0.5)
      #expect(loudestTenth(struck) > 0.001, "drum \(key) is silent")
      #expect(struck.peak < 0.6, "drum \(key) is too loud")
      _ = player.render(seconds: 9.5)
      #expect(fluid_synth_get_active_voice_count(player.synth) == 0, "drum \(key) goes on")
      player.silence()
    }
  }

  @Test("the closed hi-hat silences the open one")
  func hiHat() {
    player.choose(bank: 128, program: 0)
    player.noteOn(46)
    _ = player.render(seconds: 0.2)
    let open = player.render(seconds: 0.1).rms
    player.noteOn(42)
    _ = player.render(seconds: 0.25)
    #expect(player.render(seconds: 0.1).rms < 0.05 * open)
  }

  /// RMS of the loudest tenth of a second.
  private func loudestTenth(_ frames: [Float]) -> Double {
    stride(from: 0, to: frames.count, by: 9_600)
      .map { Array(frames[$0..<min($0 + 9_600, frames.count)]).rms }.max() ?? 0
  }
}
