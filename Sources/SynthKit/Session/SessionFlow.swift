import AudioGraph
import Synchronization
import SynthRealtime

/// What a session's output asks for audio: the engine, with a fade at each end, until the song's tail has become
/// silent.
final class SessionFlow: @unchecked Sendable {
  // Unchecked: the state belongs to the audio thread while that runs; others use its atomics.

  private let state: Box<State>
  private let present: CheckedMutex<any OutputUnit>
  private let songs = RingBuffer<SessionSong>(minimumCapacity: 16)
  private let sampleRate: Double
  /// How many songs the session has been told the end of.
  private let reportedSongs = Atomic(0)
  /// Whether the session is to be told when the output ends by itself.
  let isFlowing = Atomic(false)

  static let fadeDuration = 0.02

  /// - Parameter synthesizer: must outlive what the output calls.
  init(_ synthesizer: Synthesizer, _ output: any OutputUnit) {
    sampleRate = synthesizer.engine.sampleRate
    present = CheckedMutex(output)
    state = Box(State(sampleRate, songs.consumer, EngineSongClock(synthesizer)))
  }

  /// What the session plays on. [control thread]
  var output: any OutputUnit {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }

  /// The frame of the present song that is rendered next, at the tempo of its file. [any thread]
  var songPosition: Double { Double(bitPattern: state.pointer.pointee.songPosition.load(ordering: .relaxed)) }

  /// Frames of silence given since a fade was over. [any thread]
  var silentFrames: Int { state.pointer.pointee.silentFrames.load(ordering: .acquiring) }

  /// The frame that is asked for at a host time in nanoseconds, counted from `reset`; nil before the first. [any
  /// thread]
  ///
  /// Never far beyond what has been rendered: where the device stands still, the host's clock does not.
  func sampleTime(at hostTime: UInt64) -> Int64? {
    let limit = Int64(state.pointer.pointee.frameCount.load(ordering: .relaxed)) + Int64(sampleRate / 20)
    let exact = output is any FrameTimedOutput ? state.pointer.pointee.slices.frame(at: hostTime) : nil
    return (exact ?? state.pointer.pointee.clock.sampleTime(at: hostTime)).map { min($0, limit) }
  }

  func takePeak() -> Float { Float(bitPattern: state.pointer.pointee.peak.exchange(0, ordering: .relaxed)) }

  /// Fades in or out. [any thread]
  ///
  /// - Parameter fades: false to be silent at once, where no device plays.
  func setAudible(_ isAudible: Bool, fades: Bool = true) {
    state.pointer.pointee.silentFrames.store(0, ordering: .relaxed)
    state.pointer.pointee.isCut.store(!isAudible && !fades, ordering: .relaxed)
    state.pointer.pointee.isAudible.store(isAudible, ordering: .releasing)
  }

  /// Begins at frame 0, as the engine does after its reset. Only while it does not run. [control thread]
  func reset() {
    while songs.consumer.pop() != nil {}
    state.pointer.pointee.reset()
  }

  /// Looks for the end of a song from now on. [control thread]
  ///
  /// - Parameter isRunning: if not, the song begins with the next frame.
  func play(_ song: SessionSong, isRunning: Bool) {
    if isRunning {
      // More than the ring has room for cannot be begun within one slice and heard.
      _ = songs.producer.push(song)
    } else {
      state.pointer.pointee.begin(song)
    }
  }

  /// Looks for the end of a song once it has begun, after the present one. [control thread]
  func queue(_ song: SessionSong) { _ = songs.producer.push(song) }

  /// Tells what has ended since the last call. [control thread]
  func report(to queue: SessionEventQueue) {
    let ended = state.pointer.pointee.endedSongs.load(ordering: .relaxed)
    // Another thread may have told of more meanwhile.
    let reported = reportedSongs.max(ended, ordering: .relaxed)
    for _ in reported.oldValue..<reported.newValue { queue.add(.songEnded) }
    guard isFlowing.load(ordering: .relaxed), !output.isRunning else { return }
    if isFlowing.exchange(false, ordering: .relaxed) { queue.add(.ended) }
  }

  /// Sets how the engine is asked. Only while it does not run. [control thread]
  func begin(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) {
    state.pointer.pointee.engine = (callback, context)
  }

  /// The context of `callback`.
  var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state.pointer) }

  static let callback: RenderFunction = { context, slice in
    context.assumingMemoryBound(to: State.self).pointee.render(&slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  }
}

/// A session's flow as the output unit of its engine, on the unit that is heard.
final class SessionOutput: OutputUnit {
  let flow: SessionFlow
  private let unit: any OutputUnit

  init(_ unit: any OutputUnit, _ flow: SessionFlow) {
    self.unit = unit
    self.flow = flow
  }

  var name: String { unit.name }
  var sampleRate: Double { unit.sampleRate }
  var channelCount: Int { unit.channelCount }
  var latency: OutputLatency { unit.latency }
  var isRunning: Bool { unit.isRunning }

  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    flow.begin(callback, context: context)
    try unit.start(SessionFlow.callback, context: flow.context)
  }

  func stop() throws { try unit.stop() }
}

/// A song whose end is looked for.
struct SessionSong: BitwiseCopyable, Sendable {
  var detector: TailDetector
  /// As `EventInput.play` gave it.
  let number: Int
  /// How many frames after its event a sound leaves the engine.
  let latency: Int64
  /// Whether the flow ends with it, if no other is queued.
  let stops: Bool
  /// Whether it begins by itself, after the present one.
  var isQueued = false
}

/// What the output's thread works with. [audio thread]
private struct State: ~Copyable {
  var engine: (render: RenderFunction, context: UnsafeMutableRawPointer)?
  let clock: SampleClock
  let slices: SliceTimes
  /// Frames rendered since the engine's last reset.
  let frameCount = Atomic(0)
  let songPosition = Atomic<UInt64>(0)
  let endedSongs = Atomic(0)
  let peak = Atomic<UInt32>(0)
  let isAudible = Atomic(true)
  /// Whether it becomes inaudible without a fade.
  let isCut = Atomic(false)
  let silentFrames = Atomic(0)
  private let songs: RingBuffer<SessionSong>.Consumer
  private let songClock: EngineSongClock
  private var song: SessionSong?
  private var next: SessionSong?
  /// Whether the song has ended, and was not taken back since.
  private var isOver = false
  /// 0 is silence, `fadeLength` is full level.
  private var level: Int
  private let fadeLength: Int

  init(_ sampleRate: Double, _ songs: RingBuffer<SessionSong>.Consumer, _ songClock: EngineSongClock) {
    clock = SampleClock(sampleRate: sampleRate)
    slices = SliceTimes(sampleRate: sampleRate)
    self.songs = songs
    self.songClock = songClock
    fadeLength = max(1, Int(SessionFlow.fadeDuration * sampleRate))
    level = fadeLength
  }

  /// [control thread]
  mutating func reset() {
    (song, next) = (nil, nil)
    level = fadeLength
    clock.reset()
    slices.reset()
    frameCount.store(0, ordering: .relaxed)
    songPosition.store(0, ordering: .relaxed)
  }

  @_noLocks
  mutating func begin(_ song: SessionSong) {
    self.song = song
    self.song?.detector.time = Int64(frameCount.load(ordering: .relaxed))
    (next, isOver) = (nil, false)
  }

  @_noLocks
  private mutating func take(_ song: SessionSong) {
    // One that was queued as the song before ended is forgotten by the one that was played since.
    if !song.isQueued { begin(song) } else if song.number > self.song?.number ?? 0 { next = song }
  }

  @_noLocks
  mutating func render(_ slice: inout RenderSlice) {
    while let song = songs.pop() { take(song) }
    let asked = slice.frameCount
    let isFadingOut = !isAudible.load(ordering: .acquiring)
    if isFadingOut, isCut.load(ordering: .relaxed) { level = 0 }
    // Of a fade no frame more than is heard: what comes after it is for later.
    let count = isFadingOut ? min(asked, level) : asked
    if count > 0 {
      slice.frameCount = count
      renderEngine(&slice)
      if isFadingOut || level < fadeLength { fade(slice, isFadingOut: isFadingOut) }
      let kept = framesOfSong(in: slice)
      frameCount.add(kept, ordering: .relaxed)
      notePosition()
      peak.max(highest(of: slice).bitPattern, ordering: .relaxed)
      slice.frameCount = kept
      if kept < count { return }
    }
    guard count < asked else { return }
    for channel in 0..<slice.channelCount {
      for frame in count..<asked { slice.channels[channel][frame] = 0 }
    }
    slice.frameCount = asked
    silentFrames.add(asked &- count, ordering: .releasing)
  }

  @_noLocks
  private mutating func renderEngine(_ slice: inout RenderSlice) {
    let frame = Int64(frameCount.load(ordering: .relaxed))
    clock.note(sampleTime: frame, hostTime: slice.hostTime)
    slices.note(frame, hostTime: slice.hostTime)
    guard let engine else { return }
    withUnsafeMutablePointer(to: &slice) { call(engine.render, engine.context, UnsafeMutableRawPointer($0)) }
  }

  @_noLocks
  private func notePosition() {
    let position = songClock.songFrame(at: frameCount.load(ordering: .relaxed))
    songPosition.store(position.bitPattern, ordering: .relaxed)
  }

  /// How many frames belong to the flow; fewer than the slice has if it ends with its song.
  @_noLocks
  private mutating func framesOfSong(in slice: RenderSlice) -> Int {
    if let next, songClock.isPlayed(next.number) { begin(next) }
    guard var song else { return slice.frameCount }
    let end = songClock.end(ofSong: song.number)
    // It goes on elsewhere.
    if end == .max { isOver = false }
    song.detector.songEnd = end == .max ? .max : end &+ song.latency
    let count = song.detector.frames(of: slice)
    self.song = song
    let ends = count < slice.frameCount && !isOver
    if ends {
      isOver = true
      if song.stops, next == nil { return count }
      endedSongs.add(1, ordering: .relaxed)
    }
    if isOver, next != nil { songClock.beginNext(after: song.number) }
    return slice.frameCount
  }

  /// By a curve without corners, t²(3−2t): they would be heard as a click in a low tone.
  @_noLocks
  private mutating func fade(_ slice: RenderSlice, isFadingOut: Bool) {
    for frame in 0..<slice.frameCount {
      let part = Float(level) / Float(fadeLength)
      let gain = part * part * (3 - 2 * part)
      for channel in 0..<slice.channelCount { slice.channels[channel][frame] *= gain }
      level = isFadingOut ? max(level &- 1, 0) : min(level &+ 1, fadeLength)
    }
  }

  @_noLocks
  private func highest(of slice: RenderSlice) -> Float {
    var highest: Float = 0
    for channel in 0..<slice.channelCount {
      for frame in 0..<slice.frameCount { highest = max(highest, abs(slice.channels[channel][frame])) }
    }
    return highest
  }
}
