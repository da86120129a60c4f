import AudioFiles
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
    let configuration = batch.synthesizer
    let synthesizer = try Synthesizer(configuration.preloading(song, from: pool))
    let file = try AudioFileWriter(
      path: item.path, container: batch.container, samples: batch.samples, rate: Int(configuration.sampleRate),
      channels: configuration.channelCount, isDithered: batch.isDithered, tags: batch.tags(song))
    let measured = try MeasuredFile(
      file, path: item.path, isMeasured: batch.measuresLoudness, target: batch.loudness)
    let silence = Int((batch.leadingSilence * configuration.sampleRate).rounded())
    try measured.writeSilence(frameCount: silence)
    var isCut = false
    var progress = try synthesizer.render(song, tail: batch.tail) { progress in
      queue.note(progress, of: number)
      isCut = progress.duration >= batch.longest
      return !isCut && !queue.isCancelled
    } write: { buffer, frameCount in
      try measured.write(buffer, frameCount: frameCount)
    }
    progress.addSilence(frameCount: silence)
    let loudness = try measured.finish(&progress) { !queue.isCancelled }
    // What has gone into a pipe is completed.
    if !queue.isCancelled || !file.isReplacing { try file.finish() }
    return RenderedSong(
      progress: progress, loudness: loudness, isCut: isCut,
      refusedTuningCount: synthesizer.instruments.refusedTuningCount)
  }
}
