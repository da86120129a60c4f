import AudioGraph
import CSynthRealtime
import SynthDSP
import SynthRealtime

/// Up to eight voices of a channel that are rendered together, and where their sound is added.
struct VoiceBatch: BitwiseCopyable {
  let channel: Int
  /// Of the channel's batches.
  let number: Int
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
}

/// The batches of a quantum, which threads share out among themselves. [audio thread]
///
/// A channel's first batch goes to its bus, each other one to memory of its own that is added to the bus afterwards, in
/// order: any number of threads gives the same bits.
struct VoiceBatches: @unchecked Sendable {
  // Unchecked because of the pointers; the audio thread alone adds and sums, and no two threads have the same batch.
  private let list: UnsafeMutablePointer<VoiceBatch>
  private let count: UnsafeMutablePointer<Int>
  /// A stereo quantum for each batch, then for each thread eight rows and the window of a wave.
  private let samples: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let team: Unmanaged<WorkerTeam>

  private static var scratchSize: Int {
    @_noLocks get { VoicePool.laneCount &* renderQuantum &+ WaveReader.windowSize }
  }

  /// Starts the threads; where the system has no more, the audio thread does all. [control thread]
  init(capacity: Int, cores: RenderingCores) {
    list = .allocate(capacity: capacity)
    count = .allocate(capacity: 1)
    count.initialize(to: 0)
    let own = { try? WorkerTeam(cores.count, named: "voices", isRealTime: cores.isRealTime) }
    let team = cores.team ?? own() ?? WorkerTeam.alone
    self.team = .passRetained(team)
    let size = 2 * renderQuantum * capacity + Self.scratchSize * team.count
    samples = UnsafeMutableRawPointer.allocate(byteCount: size * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: size)
    samples.initialize(repeating: 0, count: size)
    self.capacity = capacity
  }

  /// Ends the threads. [control thread]
  func deallocate() {
    team.release()
    list.deallocate()
    count.deallocate()
    UnsafeMutableRawPointer(samples).deallocate()
  }

  @_noLocks
  func add(_ channel: Int, _ number: Int, _ bus: Bus) {
    let own = samples + count.pointee &* 2 &* renderQuantum
    let batch =
      number == 0
      ? VoiceBatch(channel: channel, number: number, left: bus[0], right: bus[1])
      : VoiceBatch(channel: channel, number: number, left: own, right: own + renderQuantum)
    (list + count.pointee).initialize(to: batch)
    count.pointee &+= 1
  }

  /// Renders all batches, and forgets them.
  @_noLocks
  func render(_ engine: UnsafePointer<NativeEngine>, _ context: VoiceContext) {
    var round = Round(engine: engine, context: context, batches: self)
    withUnsafeMutablePointer(to: &round) { round in
      team._withUnsafeGuaranteedRef { $0.perform(count.pointee, Self.job, round) }
    }
    var first = 0
    for index in 0..<count.pointee {
      if list[index].number == 0 {
        first = index
      } else {
        add(list[index].left, to: list[first].left)
        add(list[index].right, to: list[first].right)
      }
    }
    count.pointee = 0
  }

  private struct Round {
    let engine: UnsafePointer<NativeEngine>
    let context: VoiceContext
    let batches: VoiceBatches
  }

  private static var job: JobFunction {
    @_noLocks get {
      { round, index, thread in
        let round = round.assumingMemoryBound(to: Round.self)
        round.pointee.batches.render(index, thread, round.pointee.engine, round.pointee.context)
      }
    }
  }

  @_noLocks
  private func render(_ index: Int, _ thread: Int, _ engine: UnsafePointer<NativeEngine>, _ context: VoiceContext) {
    let batch = list[index]
    if batch.number > 0 {
      for frame in 0..<2 &* renderQuantum { batch.left[frame] = 0 }
    }
    engine.pointee.render(batch, context, samples + (2 &* renderQuantum &* capacity &+ Self.scratchSize &* thread))
  }

  @_noLocks
  private func add(_ source: UnsafeMutablePointer<Float>, to bus: UnsafeMutablePointer<Float>) {
    for frame in 0..<renderQuantum { bus[frame] += source[frame] }
  }
}
