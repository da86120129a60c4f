import AudioGraph
import CSynthRealtime
import SynthDSP
import SynthRealtime

/// The batches of a quantum, sixteen voices each, which threads share out among themselves. [audio thread]
///
/// A batch leaves each voice in a row. The rows are added to the channels' buses afterwards, in order: any number of
/// threads gives the same bits.
struct VoiceBatches: @unchecked Sendable {
  // Unchecked because of the pointers; no two threads have the same batch.

  /// How many voices a batch has, two banks of filters.
  static var size: Int {
    @_noLocks get { 2 &* VoicePool.laneCount }
  }

  /// A quantum of each voice, by its lane, then for each thread the window of a wave.
  let rows: UnsafeMutablePointer<Float>
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
    let rowsSize = bankCount * VoicePool.laneCount * renderQuantum
    let size = rowsSize + WaveReader.windowSize * team.count
    rows = UnsafeMutableRawPointer.allocate(byteCount: size * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: size)
    rows.initialize(repeating: 0, count: size)
    windows = rows + rowsSize
    courses = .allocate(capacity: Self.size * team.count)
    courses.initialize(repeating: VoiceCourse(), count: Self.size * team.count)
  }

  /// Ends the threads. [control thread]
  func deallocate() {
    team.release()
    UnsafeMutableRawPointer(rows).deallocate()
    courses.deallocate()
  }

  /// Renders the rows of all voices.
  @_noLocks
  func render(voiceCount: Int, of engine: UnsafePointer<NativeEngine>, _ context: VoiceContext) {
    var round = Round(engine: engine, context: context, batches: self)
    withUnsafeMutablePointer(to: &round) { round in
      team._withUnsafeGuaranteedRef { $0.perform((voiceCount &+ Self.size &- 1) / Self.size, Self.job, round) }
    }
  }

  private struct Round {
    let engine: UnsafePointer<NativeEngine>
    let context: VoiceContext
    let batches: VoiceBatches
  }

  private static var job: JobFunction {
    @_noLocks get {
      { round, batch, thread in
        let round = round.assumingMemoryBound(to: Round.self)
        let scratch = round.pointee.batches.scratch(of: thread)
        round.pointee.engine.pointee.render(batch: batch, scratch, round.pointee.context)
      }
    }
  }

  @_noLocks
  private func scratch(of thread: Int) -> VoiceScratch {
    VoiceScratch(window: windows + WaveReader.windowSize &* thread, courses: courses + Self.size &* thread)
  }
}

/// A thread's memory for the batch it is at. [audio thread]
struct VoiceScratch {
  /// Of a wave.
  let window: UnsafeMutablePointer<Float>
  /// Of each voice of the batch.
  let courses: UnsafeMutablePointer<VoiceCourse>
}
