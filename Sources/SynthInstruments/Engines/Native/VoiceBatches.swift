import AudioGraph
import CSynthRealtime
import SynthDSP
import SynthRealtime

/// The batches of voices, which threads share out among themselves. [audio thread]
///
/// A batch leaves each voice in a row, of one quantum or of several in which no event comes: threads that meet seldom
/// wait less for each other. The rows are added to the channels' buses afterwards, in order: any number of threads
/// gives the same bits.
struct VoiceBatches: @unchecked Sendable {
  // Unchecked because of the pointers; no two threads have the same batch.

  /// How many voices a batch has: two banks of filters, or where there are several threads one.
  let size: Int
  /// The most quanta that are rendered at once.
  let mostQuanta: Int
  /// Quantum by quantum each voice by its lane, then for each thread the window of a wave.
  private let rows: UnsafeMutablePointer<Float>
  private let rowCount: Int
  private let windows: UnsafeMutablePointer<Float>
  /// A batch's for each thread.
  private let courses: UnsafeMutablePointer<VoiceCourse>
  private let team: Unmanaged<WorkerTeam>

  /// Starts the threads; where the system has no more, the audio thread does all. [control thread]
  ///
  /// - Parameter bankCount: as many lanes there may be.
  init(bankCount: Int, cores: RenderingCores) {
    let own = { try? WorkerTeam(cores.count, named: "voices", isRealTime: cores.isRealTime) }
    let team = cores.team ?? own() ?? WorkerTeam.alone
    self.team = .passRetained(team)
    size = (team.count > 1 ? 1 : 2) * VoicePool.laneCount
    mostQuanta = cores.team == nil ? 1 : min(EngineQuantum.longestCalm, SampleVoice.QuantumSet.bitWidth)
    rowCount = bankCount * VoicePool.laneCount
    let rowsSize = mostQuanta * rowCount * renderQuantum
    let floatCount = rowsSize + WaveReader.windowSize * team.count
    rows = UnsafeMutableRawPointer.allocate(byteCount: floatCount * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: floatCount)
    rows.initialize(repeating: 0, count: floatCount)
    windows = rows + rowsSize
    courses = .allocate(capacity: size * team.count)
    courses.initialize(repeating: VoiceCourse(), count: size * team.count)
  }

  /// Ends the threads. [control thread]
  func deallocate() {
    team.release()
    UnsafeMutableRawPointer(rows).deallocate()
    courses.deallocate()
  }

  /// A quantum of a voice.
  @_noLocks
  func row(_ row: Int, inQuantum quantum: Int) -> UnsafeMutablePointer<Float> {
    rows + (quantum &* rowCount &+ row) &* renderQuantum
  }

  /// Renders the rows of all voices, for so many quanta.
  @_noLocks
  func render(
    voiceCount: Int, quantumCount: Int, of engine: UnsafePointer<NativeEngine>, _ context: VoiceContext
  ) {
    var round = Round(engine: engine, context: context, batches: self, quantumCount: quantumCount)
    withUnsafeMutablePointer(to: &round) { round in
      team._withUnsafeGuaranteedRef { $0.perform((voiceCount &+ size &- 1) / size, Self.job, round) }
    }
  }

  private struct Round {
    let engine: UnsafePointer<NativeEngine>
    let context: VoiceContext
    let batches: VoiceBatches
    let quantumCount: Int
  }

  private static var job: JobFunction {
    @_noLocks get {
      { round, batch, thread in
        let round = round.assumingMemoryBound(to: Round.self)
        let scratch = round.pointee.batches.scratch(of: thread)
        for quantum in 0..<round.pointee.quantumCount {
          round.pointee.engine.pointee.render(batch: batch, quantum: quantum, scratch, round.pointee.context)
        }
      }
    }
  }

  @_noLocks
  private func scratch(of thread: Int) -> VoiceScratch {
    VoiceScratch(window: windows + WaveReader.windowSize &* thread, courses: courses + size &* thread)
  }
}

/// A thread's memory for the batch it is at. [audio thread]
struct VoiceScratch {
  /// Of a wave.
  let window: UnsafeMutablePointer<Float>
  /// Of each voice of the batch.
  let courses: UnsafeMutablePointer<VoiceCourse>
}
