import SynthInstruments
import SynthMIDI

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
    let synthesizer = try Synthesizer(batch.synthesizer.preloading(song.routed(by: batch.routes), from: pool))
    synthesizer.instruments.events.routes = batch.routes
    synthesizer.instruments.events.tempo = batch.tempo
    synthesizer.instruments.events.transposition = batch.transposition
    synthesizer.instruments.events.countIn = batch.countIn
    synthesizer.metronome.set(batch.metronome)
    let files = try RenderedFiles(of: song, item, batch, synthesizer)
    let silence = Int((min(max(0, batch.leadingSilence), 3600) * synthesizer.engine.sampleRate).rounded())
    try files.writeSilence(frameCount: silence)
    var releases = PageReleases(of: pool)
    var progress = try synthesizer.render(
      song, batch.part(song), stems: files.stems, tail: batch.tail, longest: batch.longest,
      recordsNotes: batch.writesNotes,
      report: { progress in
        queue.note(progress, of: number)
        releases.follow(progress)
        return !queue.isCancelled
      }, write: files.mix.map { mix in { try mix.write($0, frameCount: $1) } })
    let isCut = progress.duration >= batch.longest
    progress.addSilence(frameCount: silence)
    let loudness = try files.mix?.finish(&progress) { !queue.isCancelled }
    files.notes?.write(progress.notes, after: silence)
    try files.finish(isCancelled: queue.isCancelled)
    return RenderedSong(
      progress: progress, files: files.paths, loudness: loudness, isCut: isCut,
      refusedTuningCount: synthesizer.instruments.refusedTuningCount,
      stolenVoiceCount: synthesizer.instruments.stolenVoiceCount,
      lostVoiceCount: synthesizer.instruments.lostVoiceCount)
  }
}

/// Gives the pages of soundfonts back every five seconds of a song: what it no longer plays takes no memory.
private struct PageReleases {
  private let pool: SoundFontPool
  private var next = 5.0

  init(of pool: SoundFontPool) { self.pool = pool }

  mutating func follow(_ progress: RenderProgress) {
    guard progress.duration >= next else { return }
    pool.releasePages()
    next = progress.duration + 5
  }
}
