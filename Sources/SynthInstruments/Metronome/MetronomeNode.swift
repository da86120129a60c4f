import AudioGraph
import Synchronization
import SynthRealtime

/// Adds a metronome's clicks to what goes through it: on the beats of the song that instruments play, each at its
/// frame, and without a song at a tempo of the node's.
///
/// The first beat of a bar has a higher click; `SongMeter` says what beats are. Clicks follow tempo, seeks and loops.
/// They are the node's own sound, the same with every soundfont, and neither transposed nor muted with the instruments.
/// The bars that `EventInput.countIn` asks for are clicked also while the metronome is off.
///
/// It is an effect behind the instruments and not a source, because in each quantum it must come after them: they say
/// where the beats are.
public final class MetronomeNode: AudioNode, LatencyFollowing {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// Whether it clicks.
  public let isOn = Parameter("on", unit: .toggle, range: 0...1, default: 0)
  /// How loud clicks are that begin from now on; at 0 dB their peak is full scale.
  public let level = Parameter("level", unit: .decibels, range: -120...24, default: -12)
  /// How fast it clicks without a song; the first click comes as it is switched on.
  public let tempo = Parameter("tempo", unit: .beatsPerMinute, range: tempoRange, default: 120)
  /// In beats per minute.
  public static let tempoRange: ClosedRange<Float> = 20...400
  private let clicks: ClickList
  /// How many frames later than the instruments' beats the sound arrives here: the latency of effects in between.
  private let lag = Box(Lag())
  private let slot = KernelSlot<Double>()

  fileprivate struct Lag: ~Copyable {
    let frames = Atomic<Int>(0)
  }

  /// - Parameter events: of the instruments whose songs it follows. They must be before it in the same graph, at the
  ///   same rate.
  public init(name: String = "metronome", following events: EventInput = EventInput()) {
    self.name = name
    clicks = events.clicks
  }

  public var parameters: [Parameter] { [isOn, level, tempo] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try EffectFormat.input(of: "metronome", inputs[0], sampleRate: sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      let sound = ClickSound(sampleRate: sampleRate)
      return Kernel(
        MetronomeKernel(self, clicks.memory, lag.pointer, sound, sampleRate),
        retaining: parameters + [clicks, lag, sound],
        entry: MetronomeKernel.entry)
    }
  }

  public func reset() { slot.reset() }

  package func follow(latency: Int) { lag.pointer.pointee.frames.store(latency, ordering: .relaxed) }
}

private struct MetronomeKernel: ~Copyable {
  private let isOn: ParameterReader
  private let level: ParameterReader
  private let tempo: ParameterReader
  private let clicks: ClickMemory
  private let lag: UnsafeMutablePointer<MetronomeNode.Lag>
  private var waiting = WaitingClicks()
  private let sound: ClickSound.Samples
  private let framesPerMinute: Double
  /// What is left of the present click: the next of its samples and how many there are.
  private var samples: UnsafePointer<Float>
  private var sampleCount = 0
  private var gain: Float = 0
  /// Frames until the next click without a song, and between two; 0 while it does not click so.
  private var wait: Double = 0
  private var spacing: Double = 0

  init(
    _ node: MetronomeNode, _ clicks: ClickMemory, _ lag: UnsafeMutablePointer<MetronomeNode.Lag>, _ sound: ClickSound,
    _ sampleRate: Double
  ) {
    (isOn, level, tempo) = (node.isOn.reader, node.level.reader, node.tempo.reader)
    (self.clicks, self.lag) = (clicks, lag)
    self.sound = sound.samples
    samples = sound.samples.plain
    framesPerMinute = 60 * sampleRate
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: MetronomeKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    output.isSilent = input.isSilent
    for channel in 0..<output.channelCount {
      if channel < input.channelCount {
        copySamples(from: input[channel], to: output[channel], count: renderQuantum)
      } else {
        output[channel].update(repeating: 0, count: renderQuantum)
      }
    }
    var frame = 0
    if clicks.hasSong {
      spacing = 0
      let late = Int64(lag.pointee.frames.load(ordering: .relaxed))
      for index in 0..<clicks.count where isOn.isOn || clicks[index].isCountIn {
        let time = context.sampleTime &+ Int64(clicks[index].offset) &+ late
        waiting.add(at: time, isFirst: clicks[index].isFirst)
      }
      while let click = waiting.next(before: context.sampleTime &+ Int64(renderQuantum)) {
        add(to: output, from: &frame, until: max(frame, Int(click.time &- context.sampleTime)))
        begin(click.isFirst ? sound.first : sound.plain)
      }
    } else {
      waiting.removeAll()
      if isOn.isOn { clickSteadily(output, &frame) } else { spacing = 0 }
    }
    add(to: output, from: &frame, until: renderQuantum)
  }

  /// Without a song there are no bars, so all clicks are alike.
  @_noLocks
  private mutating func clickSteadily(_ output: Bus, _ frame: inout Int) {
    let present = framesPerMinute / Double(tempo.renderValue)
    if present != spacing {
      // The part of a beat that is left stays.
      wait = spacing > 0 ? wait * present / spacing : 0
      spacing = present
    }
    while wait < Double(renderQuantum) - 0.5 {
      add(to: output, from: &frame, until: Int(max(wait, 0) + 0.5))
      begin(sound.plain)
      wait += spacing
    }
    wait -= Double(renderQuantum)
  }

  @_noLocks
  private mutating func begin(_ click: UnsafePointer<Float>) {
    samples = click
    sampleCount = sound.count
    gain = level.renderValue
  }

  /// Adds the present click until a frame, or until it has died away.
  @_noLocks
  private mutating func add(to output: Bus, from frame: inout Int, until end: Int) {
    let count = min(end &- frame, sampleCount)
    if count > 0, gain > 0 {
      output.isSilent = false
      for channel in 0..<output.channelCount {
        let place = output[channel] + frame
        for index in 0..<count { place[index] += samples[index] * gain }
      }
    }
    samples += max(count, 0)
    sampleCount &-= max(count, 0)
    frame = max(frame, end)
  }
}
