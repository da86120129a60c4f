import AudioGraph
import Synchronization
import SynthKit
import SynthMIDI
import SynthRealtime
import TestSupport

/// A session that plays into nothing, and the loop of its surface.
final class Playing: Sendable {
  let surface: ControlSurface
  private let session: Session
  private let flag = Flag()
  private let thread: WorkerThread

  init() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let monitor = MIDIMonitor()
    let session = Session(synthesizer, output: PacedOutput(), copies: [monitor])
    let surface = ControlSurface(
      SynthesizerControl(synthesizer, session: session), session: session, monitor: monitor, release: "test",
      patience: 60)
    (self.session, self.surface) = (session, surface)
    try session.start()
    thread = try WorkerThread(named: "owner") { [flag] in
      let loop = ControlLoop()
      loop.add(surface)
      try? loop.run { !flag.isSet.load(ordering: .relaxed) }
    }
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  var synthesizer: Synthesizer { session.synthesizer }

  var gain: Float { session.synthesizer.mainMixer.outputGain.value }

  var voices: Int { session.synthesizer.instruments.activeVoiceCount }

  deinit {
    flag.isSet.store(true, ordering: .relaxed)
    thread.join()
    try? session.stop()
  }
}
