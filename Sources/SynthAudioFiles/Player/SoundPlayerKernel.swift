import AudioGraph
import Synchronization
import SynthDSP
import SynthRealtime

/// The sound player's render side.
struct SoundPlayerKernel: ~Copyable {
  private let cell: UnsafeMutablePointer<SoundPlayerCell>
  private let sound: UnsafePointer<FileSound.Memory>?
  private let reader: UnsafePointer<SoundReader>
  private let frameCount: Double
  /// Frames of the sound in a frame of output at rate 1.
  private let ratio: Double
  private let gain: ParameterReader
  private let pan: ParameterReader
  private let rate: ParameterReader
  private let pitch: ParameterReader
  private let keepsPitch: ParameterReader
  private let rampBlocks: Int
  private let shortestLoop: Double
  private var left = Ramp()
  private var right = Ramp()
  private var speed = Ramp()
  private var stretcher: Stretcher
  private let block: UnsafeMutablePointer<Float>
  /// The frame of the sound that is heard next.
  private var position: Double = 0
  private var soughtCount = 0
  private var loopCount = 0
  private var loopStart: Double = 0
  private var loopEnd: Double = 0
  private var jumpsLeft = 0
  /// From 0 to 1, within 256 frames as it is paused and goes on.
  private var level: Float = 0

  /// [control thread]
  init(_ node: SoundPlayerNode, _ cell: UnsafeMutablePointer<SoundPlayerCell>, sampleRate: Double) {
    self.cell = cell
    reader = UnsafePointer(node.feed.readers[0].pointer)
    sound = node.sound.map { $0.memory.assumingMemoryBound(to: FileSound.Memory.self) }
    frameCount = Double(node.sound?.frameCount ?? 0)
    ratio = (node.sound?.sampleRate ?? sampleRate) / sampleRate
    (gain, pan, rate) = (node.gain.reader, node.pan.reader, node.rate.reader)
    (pitch, keepsPitch) = (node.pitch.reader, node.keepsPitch.reader)
    shortestLoop = 0.005 * (node.sound?.sampleRate ?? 0)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    stretcher = Stretcher(sampleRate: sampleRate)
    block = .allocate(capacity: 2 * renderQuantum)
    block.initialize(repeating: 0, count: 2 * renderQuantum)
    position = Double(bitPattern: cell.pointee.position.load(ordering: .relaxed))
    stretcher.begin(at: position, ratio: ratio)
  }

  deinit { block.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SoundPlayerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let isPlaying = cell.pointee.isPlaying.load(ordering: .acquiring)
    takeWishes()
    guard let sound, isPlaying || level > 0 else { return output.silence() }
    // The start of a file is not faded in.
    if isPlaying, level == 0, position == 0 { level = 1 }
    let speed = speed.next(toward: rate.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    let rate = Double(speed.start + speed.step * Float(32)) * ratio
    let step = min((keepsPitch.isOn ? ratio : rate) * Double(pitch.renderValue), Stretcher.longestStep)
    reader.pointee.begin(sound)
    let hasEnded = play(sound, rate: min(rate, Stretcher.longestStep), step: step)
    reader.pointee.end(at: position)
    cell.pointee.position.store(position.bitPattern, ordering: .relaxed)
    cell.pointee.missingFrames.store(stretcher.missingCount, ordering: .relaxed)
    mix(into: output, channelCount: sound.pointee.pages.channelCount, isPlaying: isPlaying)
    guard hasEnded else { return }
    level = 0
    cell.pointee.isPlaying.store(false, ordering: .releasing)
  }

  /// Takes over places and loops that were asked for since the last quantum.
  @_noLocks
  private mutating func takeWishes() {
    let seekCount = cell.pointee.seekCount.load(ordering: .acquiring)
    if seekCount != soughtCount {
      soughtCount = seekCount
      position = Double(bitPattern: cell.pointee.seekPlace.load(ordering: .relaxed))
      if level > 0 { stretcher.fade(to: position) } else { stretcher.begin(at: position, ratio: ratio) }
      cell.pointee.position.store(position.bitPattern, ordering: .relaxed)
      cell.pointee.soughtCount.store(seekCount, ordering: .releasing)
    }
    let loopCount = cell.pointee.loopCount.load(ordering: .acquiring)
    guard loopCount != self.loopCount, loopCount & 1 == 0 else { return }
    let (start, end) = (
      cell.pointee.loopStart.load(ordering: .acquiring), cell.pointee.loopEnd.load(ordering: .acquiring)
    )
    let jumpCount = cell.pointee.jumpCount.load(ordering: .acquiring)
    // Where another was asked for meanwhile, the next quantum takes that.
    guard cell.pointee.loopCount.load(ordering: .relaxed) == loopCount else { return }
    self.loopCount = loopCount
    (loopStart, loopEnd, jumpsLeft) = (Double(start), Double(end), jumpCount)
    if loopEnd - loopStart < shortestLoop { jumpsLeft = 0 }
  }

  /// Renders a quantum of the sound; true if it ends in it.
  @_noLocks
  private mutating func play(_ sound: UnsafePointer<FileSound.Memory>, rate: Double, step: Double) -> Bool {
    var done = 0
    while done < renderQuantum {
      let repeats = jumpsLeft > 0 && position <= loopEnd
      let rest = ((repeats ? loopEnd : frameCount) - position) / rate
      if rest <= 0 {
        guard repeats else {
          for channel in 0..<2 {
            (block + channel &* renderQuantum + done).update(repeating: 0, count: renderQuantum &- done)
          }
          return true
        }
        position += loopStart - loopEnd
        if jumpsLeft < .max { jumpsLeft &-= 1 }
        if rate == step { stretcher.jump(to: position) } else { stretcher.fade(to: position) }
        continue
      }
      let whole = Int(min(rest, Double(renderQuantum)))
      let count = min(Double(whole) < rest ? whole &+ 1 : whole, renderQuantum &- done)
      stretcher.render(sound.pointee.pages, at: position, rate: rate, step: step, into: block + done, count: count)
      position += rate * Double(count)
      done &+= count
    }
    return false
  }

  /// Gain, balance, and the fade of a pause.
  @_noLocks
  private mutating func mix(into output: Bus, channelCount: Int, isPlaying: Bool) {
    let (gain, pan) = (gain.renderValue, pan.renderValue)
    let before = level
    for channel in 0..<2 {
      let target = gain * (channel == 0 ? min(1, 1 - pan) : min(1, 1 + pan))
      let segment =
        channel == 0
        ? left.next(toward: target, blocks: rampBlocks, blockSize: renderQuantum)
        : right.next(toward: target, blocks: rampBlocks, blockSize: renderQuantum)
      let source = block + min(channel, channelCount &- 1) &* renderQuantum
      _ = scaleBlock(source, into: output[channel], gain: segment, count: renderQuantum)
      level = before
      for frame in 0..<renderQuantum {
        output[channel][frame] *= level
        level = isPlaying ? min(level + 1 / 256, 1) : max(level - 1 / 256, 0)
      }
    }
  }
}
