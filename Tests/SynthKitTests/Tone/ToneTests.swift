import AudioGraph
import Synchronization
import SynthDSP
import SynthKit
import TestSupport
import Testing

@Suite("A test tone", .timeLimit(.minutes(1)))
struct ToneTests {
  private let tone: ToneGenerator
  private let control: ToneControl

  init() throws {
    tone = try ToneGenerator(try DeviceOutput("null"), frequency: 480)
    control = ToneControl(tone)
  }

  private func perform(_ text: String) throws -> ToneGenerator.State {
    guard case .tone(let state) = try control.perform(text) else { throw Nothing() }
    return state
  }

  private struct Nothing: Error {}

  @Test("starts, changes while it sounds, and stops; its output runs on")
  func knobs() throws {
    #expect(!tone.state.isSounding && tone.waveform == .sine)
    #expect(try perform("start").isSounding)
    #expect(eventually { tone.mixer.outputMeter.heldPeak(0) > 0.2 })
    #expect(try perform("wave saw").waveform == .sawtooth && perform("wave").waveform == .sawtooth)
    #expect(try perform("frequency 220.5").frequency == 220.5 && perform("level -6 dB").level == -6)
    #expect(eventually { tone.mixer.outputMeter.heldPeak(0) > 0.45 })
    #expect(try !perform("stop").isSounding && tone.engine.isRunning)
    #expect(eventually { tone.mixer.outputMeter.rms(0) < 1e-4 })
    #expect(try perform("start").isSounding)
    try tone.end()
    #expect(!tone.isSounding && !tone.engine.isRunning)
  }

  @Test("tells a user interface what has changed, whoever changed it")
  func observed() throws {
    let latest = Mutex<ToneGenerator.State?>(nil)
    let observation = tone.observe { state in latest.withLock { $0 = state } }
    _ = try control.perform("set \"signal generator\" waveform square")
    tone.frequency = 100
    #expect(eventually { latest.withLock { $0?.waveform == .square && $0?.frequency == 100 } })
    try tone.start()
    #expect(eventually { latest.withLock { $0?.isSounding == true } })
    observation.cancel()
    try tone.end()
  }

  @Test(
    "refuses in one line what it is not",
    arguments: [
      ("wave s", "wave s: give sine, sawtooth, square, triangle, noise"),
      ("frequency high", "frequency high: give hertz from 0 to 192000"),
      ("stop now", "\"now\" is one word too many: stop"),
      ("waves", "waves: no such command; did you mean wave?"), ("level 30", "level 30: give decibels from -120 to 24"),
      ("set tone", "set tone: no such node; give \"signal generator\", mixer, output"),
    ])
  func refusals(text: String, line: String) {
    do throws(SynthesizerCommandError) {
      Issue.record("\(try control.perform(text))")
    } catch {
      #expect("\(error)" == line)
    }
  }

  @Test("completes its commands")
  func completions() {
    #expect(control.completions(of: "fr") == ["frequency"] && control.completions(of: "wave tri") == ["triangle"])
    #expect(control.completions(of: "set \"signal generator\" f") == ["frequency"])
    #expect(control.completions(of: "set \"signal generator\" waveform n") == ["noise"])
  }
}
