import Instruments
import MIDI

/// Renders the items of a queue one after the other, on a thread.
struct BatchWorker: Sendable {
  private let batch: BatchRenderer
  private let number: Int
  private let queue: BatchQueue
  private let pool: SoundFontPool

  init(_ batch: BatchRenderer, _ number: Int, _ queue: BatchQueue, _ pool: SoundFontPool) {
    self.batch = batch
    self.number = number
    self.queue = queue
    self.pool = pool
  }

  func run() {
    while let (index, item) = queue.next() {
      let start = ContinuousClock.now
      let result = Result { try render(item) }
      if queue.isCancelled { break }
      queue.finish(
        BatchRenderer.Outcome(index: index, result: result, elapsed: ContinuousClock.now - start), of: number)
    }
    queue.leave()
  }

  private func render(_ item: BatchRenderer.Item) throws -> RenderedSong {
    let song = try item.song()
    let synthesizer = try Synthesizer(batch.synthesizer.preloading(song, from: pool))
    let files = try RenderedFiles(of: song, item, batch, synthesizer)
    let progress = try synthesizer.render(
      song, to: files.mix, stems: files.stems, longest: batch.longest, recordsNotes: batch.writesNotes
    ) { progress in
      queue.note(progress, of: number)
      return !queue.isCancelled
    }
    files.notes?.write(progress.notes)
    try files.finish(isCancelled: queue.isCancelled)
    return RenderedSong(
      progress: progress, files: files.paths, isCut: progress.duration >= batch.longest,
      refusedTuningCount: synthesizer.instruments.refusedTuningCount)
  }
}
