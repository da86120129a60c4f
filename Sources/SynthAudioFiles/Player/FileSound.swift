import AudioGraph
import Synchronization
import SynthDSP
import SynthRealtime

/// An audio file of which what is about to be played is in memory, wherever that is in the file.
///
/// `SoundFeed` reads ahead of the places where its readers were last; `prepare` reads a place in advance, so that
/// playing goes on there without a gap. Any number may play it at one time.
public final class FileSound: Sendable {
  /// The file that it was opened from.
  public let path: String
  /// In frames per second.
  public let sampleRate: Double
  /// Of the whole file.
  public let frameCount: Int
  /// As `AudioFileReader.missingByteCount`.
  public let missingByteCount: Int
  /// What the file says about itself.
  public let tags: [AudioFileTag: String]
  private let state: CheckedMutex<State>
  private let shared: Box<Memory>

  /// What the audio thread reads, between `begin` and `end` of a `SoundReader` that the sound knows.
  public struct Memory: ~Copyable {
    /// One or two channels.
    public let pages: FramePages
    /// Of the file, in frames per second.
    public let sampleRate: Double
  }

  /// A quantum of a reader, the one that it was in at a moment.
  private struct Quantum {
    let reader: Box<SoundReader>
    let number: Int

    /// Whether it has read so many since, or has gone.
    func isOver(by count: Int, _ readers: [Reader]) -> Bool {
      !readers.contains { $0.reader === reader } || reader.pointer.pointee.readCount - number >= count
    }
  }

  private struct Reader {
    let reader: Box<SoundReader>
    /// Where it has read last; nil where it does not play this.
    var place: Int?
  }

  private struct State: @unchecked Sendable {
    // Unchecked because of the memory, which is used under the lock.
    let file: AudioFileReader
    let gains: [[Float]]
    let table: FramePages.Table
    var nextFrame = 0
    /// The pages that are there.
    var loaded: Set<Int> = []
    var readers: [Reader] = []
    /// What was taken away while some were reading.
    var retired: [(samples: UnsafeMutablePointer<Float>, quanta: [Quantum])] = []
    /// Where readers were before they went elsewhere, which is still read in the fade.
    var left: [(place: Int, quantum: Quantum)] = []

    /// By the table, which takes a tenth of the instructions of looking in the set: rendering asks each quantum.
    func isLoaded(_ page: Int) -> Bool { table[page].load(ordering: .relaxed) != 0 }

    /// Where it was read last, by whomever.
    var place = 0

    /// Where it is or will be read.
    var places: [Int] {
      let present = readers.compactMap(\.place)
      return present.isEmpty ? [place] : present
    }
    /// Places that may be played next, in frames; the last are kept.
    var expected: [Int] = []
    var failure: AudioFileError?
  }

  /// Opens a file and reads its beginning. More than two channels become stereo.
  ///
  /// A file that does not say how long it is, as a FLAC from a pipe or a killed recorder, is first read to its end.
  ///
  /// - Throws: `AudioFileError` for a file that cannot be read, or is empty.
  public init(path: String) throws(AudioFileError) {
    let file = try AudioFileReader(path: path)
    let frameCount = try file.countFrames()
    guard frameCount > 0 else { throw .unreadable(path: path, reason: "there is no audio in it — give another file") }
    self.path = path
    self.frameCount = frameCount
    missingByteCount = file.missingByteCount
    (sampleRate, tags) = (Double(file.sampleRate), file.tags)
    let channelCount = min(file.channelCount, 2)
    let pageCount = (frameCount + FramePages.pageLength - 1) / FramePages.pageLength
    let table = FramePages.Table.allocate(capacity: pageCount)
    for page in 0..<pageCount { (table + page).initialize(to: Atomic(0)) }
    let gains = fileChannelGains(from: file.channelCount, to: channelCount)
    let state = State(file: file, gains: gains, table: table)
    self.state = CheckedMutex(state)
    let pages = FramePages(table, pageCount: pageCount, channelCount: channelCount)
    shared = Box(Memory(pages: pages, sampleRate: sampleRate))
    prepare(at: 0)
  }

  deinit {
    state.withLock { state in
      for page in state.loaded { Self.samples(state.table[page].load(ordering: .relaxed))?.deallocate() }
      for page in state.retired { page.samples.deallocate() }
      state.table.deinitialize(count: pageCount)
      state.table.deallocate()
    }
  }

  /// In seconds.
  public var duration: Double { Double(frameCount) / sampleRate }

  /// A `Memory`, valid as long as the sound lives.
  public var memory: UnsafeRawPointer { UnsafeRawPointer(shared.pointer) }

  private var pageCount: Int { (frameCount + FramePages.pageLength - 1) / FramePages.pageLength }

  private static func samples(_ address: UInt) -> UnsafeMutablePointer<Float>? {
    UnsafeMutablePointer(bitPattern: address)
  }

  /// What kept it from being read to its end, once; what is missing is silent. [control thread]
  public func takeFailure() -> AudioFileError? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// Reads what will be played at a place, and keeps it. [control thread]
  ///
  /// - Parameter seconds: from the start; clamped to the file, and NaN is its start.
  public func prepare(at seconds: Double) {
    let frame = Int(min(max(0, seconds), duration) * sampleRate)
    state.withLock { state in
      state.expected = state.expected.filter { $0 != frame }.suffix(Self.mostPlaces - 1) + [frame]
      for page in pages(around: frame, seconds: Self.preparation) where !state.isLoaded(page) {
        load(page, &state)
      }
    }
  }

  /// How many places are kept, and how many seconds are read there and where it plays.
  private static let mostPlaces = 4
  private static let preparation = 0.5
  private static let lookahead = 4.0
  /// In quanta: 12 ms at 768 kHz.
  private static let longestFade = 160

  /// How many seconds of what is played next are in memory; nil where no page is to be read. [control thread]
  ///
  /// Pages that are not needed any more are forgotten on the way.
  var lead: Double? {
    state.withLock { state in
      turn(&state)
      return missingPages(state).first.map { Double($0.distance) / sampleRate }
    }
  }

  /// Reads ahead of the places where it was read last. [control thread]
  ///
  /// - Parameter mostPages: the most that are read, those that are needed first.
  func follow(mostPages: Int = .max) {
    state.withLock { state in
      turn(&state)
      for (page, _) in missingPages(state).prefix(mostPages) { load(page, &state) }
    }
  }

  /// Lets readers play it from now on. [control thread]
  func add(_ readers: [Box<SoundReader>]) {
    state.withLock { state in
      for reader in readers where !state.readers.contains(where: { $0.reader === reader }) {
        state.readers.append(Reader(reader: reader))
      }
    }
  }

  /// Forgets readers that play it no more. [control thread]
  func remove(_ readers: [Box<SoundReader>]) {
    state.withLock { state in state.readers.removeAll { known in readers.contains { $0 === known.reader } } }
  }

  /// Turns to the places where it was read last, and forgets what is far from them.
  private func turn(_ state: inout State) {
    for index in state.readers.indices {
      let (reader, before) = (state.readers[index].reader, state.readers[index].place)
      let present = reader.pointer.pointee.place(in: shared.pointer)
      state.readers[index].place = present
      guard let present else { continue }
      state.place = present
      if let before, abs(present - before) > FramePages.pageLength {
        state.left.append((before, Quantum(reader: reader, number: reader.pointer.pointee.readCount)))
      }
    }
    state.left.removeAll { [readers = state.readers] in $0.quantum.isOver(by: Self.longestFade + 1, readers) }
    let kept =
      state.places.map { pages(around: $0, seconds: Self.lookahead) }
      + (state.expected + state.left.map(\.place)).map { pages(around: $0, seconds: Self.preparation) }
    for page in state.loaded where !kept.contains(where: { $0.contains(page) }) { retire(page, &state) }
    free(&state)
  }

  /// Those that are needed first at the start, each with how many frames its reader has to go to it. Those that it has
  /// passed are needed last.
  private func missingPages(_ state: State) -> [(page: Int, distance: Int)] {
    var missing: [Int: Int] = [:]
    for place in state.places {
      let near = pages(around: place, seconds: Self.lookahead)
      for page in near where !state.isLoaded(page) {
        let isAhead = (page + 1) * FramePages.pageLength > place
        let distance = isAhead ? max(0, page * FramePages.pageLength - place) : Int(Self.lookahead * sampleRate)
        missing[page] = min(missing[page] ?? .max, distance)
      }
    }
    return missing.map { ($0.key, $0.value) }.sorted { ($0.distance, $0.page) < ($1.distance, $1.page) }
  }

  /// A stretched sound may be a quarter of a second behind its place (`Stretcher`).
  private func pages(around frame: Int, seconds: Double) -> Range<Int> {
    let first = max(0, (frame - Int(sampleRate / 4)) / FramePages.pageLength - 1)
    let last = (frame + Int(seconds * sampleRate)) / FramePages.pageLength + 2
    return min(first, pageCount)..<min(max(first, last + 1), pageCount)
  }

  private func load(_ page: Int, _ state: inout State) {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: FramePages.pageLength * state.gains.count)
    memory.initialize(repeating: 0, count: FramePages.pageLength * state.gains.count)
    do throws(AudioFileError) {
      try read(page, into: memory, &state)
    } catch {
      // What cannot be read is silent.
      if state.failure == nil { state.failure = error }
      state.nextFrame = -1
    }
    state.table[page].store(UInt(bitPattern: memory), ordering: .releasing)
    state.loaded.insert(page)
  }

  private func read(
    _ page: Int, into memory: UnsafeMutablePointer<Float>, _ state: inout State
  ) throws(AudioFileError) {
    let start = page * FramePages.pageLength
    if state.nextFrame != start { try state.file.seek(to: start) }
    let frames = try state.file.read(min(FramePages.pageLength, frameCount - start))
    state.nextFrame = start + frames.frameCount
    for (number, row) in state.gains.enumerated() {
      let target = memory + number * FramePages.pageLength
      for (channel, gain) in row.enumerated() where gain != 0 {
        let samples = frames.span(ofChannel: channel)
        for frame in samples.indices { target[frame] += samples[frame] * gain }
      }
    }
  }

  /// Takes a page away. Who reads now may be within it; who begins to read later does not find it.
  private func retire(_ page: Int, _ state: inout State) {
    let address = state.table[page].exchange(0, ordering: .sequentiallyConsistent)
    state.loaded.remove(page)
    guard let samples = Self.samples(address) else { return }
    let quanta = state.readers.compactMap { known in
      known.reader.pointer.pointee.presentQuantum.map { Quantum(reader: known.reader, number: $0) }
    }
    state.retired.append((samples, quanta))
  }

  private func free(_ state: inout State) {
    state.retired.removeAll { [readers = state.readers] page in
      guard page.quanta.allSatisfy({ $0.isOver(by: 1, readers) }) else { return false }
      page.samples.deallocate()
      return true
    }
  }
}
