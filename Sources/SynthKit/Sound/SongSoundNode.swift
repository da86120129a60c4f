import AudioGraph
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthMIDI
import SynthRealtime

extension FileSound: SongSound {}

/// Adds audio files that are played as songs to what goes through it: at the place, the tempo and the transposition
/// that the song's reader tells for each quantum.
///
/// At the file's own tempo and pitch, and at its rate, every sample is the file's. Seeks and holds fade in 256 frames;
/// loops are exact to the frame.
///
/// It is an effect behind the instruments and not a source, because in each quantum it must come after them.
final class SongSoundNode: AudioNode {
  let name = "song sound"
  let inputBusCount = 1
  let outputBusCount = 1
  let isStreaming = true
  let feed = SoundFeed()
  private let passages: PassageList
  private let slot = KernelSlot<Double>()

  /// - Parameter events: of the instruments whose songs it plays. They must be before it in the same graph, at the same
  ///   rate.
  init(following events: EventInput) { passages = events.passages }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try EffectFormat.input(of: name, inputs[0], sampleRate: sampleRate)]
  }

  func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      Kernel(
        SongSoundKernel(passages.memory, feed.readers, sampleRate), retaining: [passages, feed],
        entry: SongSoundKernel.entry)
    }
  }

  func reset() { slot.reset() }

  func prepareToRender(frameCount: Int) { feed.fill() }
}

private struct SongSoundKernel: ~Copyable {
  private let passages: PassageList.Memory
  private var first: SoundVoice
  private var second: SoundVoice
  /// Whether the first voice is the one that plays; the other one fades out.
  private var isFirst = true

  init(_ passages: PassageList.Memory, _ readers: [Box<SoundReader>], _ sampleRate: Double) {
    self.passages = passages
    first = SoundVoice(readers[0], sampleRate)
    second = SoundVoice(readers[1], sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SongSoundKernel.self).pointee
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
    for index in 0..<passages.count {
      let passage = passages[index]
      rest(output, &frame, until: passage.offset)
      let goesOn = isFirst ? first.follow(passage) : second.follow(passage)
      if !goesOn {
        isFirst.toggle()
        if isFirst { first.begin(passage) } else { second.begin(passage) }
      }
      first.add(to: output, from: frame, passage.count, isHeard: isFirst)
      second.add(to: output, from: frame, passage.count, isHeard: !isFirst)
      frame &+= passage.count
    }
    rest(output, &frame, until: renderQuantum)
  }

  /// Nothing is played until a frame.
  @_noLocks
  private mutating func rest(_ output: Bus, _ frame: inout Int, until end: Int) {
    guard frame < end else { return }
    first.add(to: output, from: frame, end &- frame, isHeard: false)
    second.add(to: output, from: frame, end &- frame, isHeard: false)
    frame = end
  }
}
