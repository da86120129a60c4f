import SynthMIDI
import SynthRealtime
import SynthSoundFonts

extension NativeEngine {
  /// Loads the fonts, and makes playable what is asked for. [control thread]
  static func load(_ loading: EngineLoading<SamplerInstrument>) throws(InstrumentError) -> LoadedEngine {
    guard RackNode.sampleRates.contains(loading.sampleRate) else { throw .sampleRateOutOfRange(loading.sampleRate) }
    let sampler = loading.configuration.sampler
    let fonts = try NativeFonts(sampler)
    let preload: PlayablePresets.Preload = sampler.touchesSamples ? .samples : .nothing
    switch sampler.preload {
    case .all: fonts.load(nil, preload)
    case .used(let songs): fonts.load(presets(of: songs, in: fonts.table, loading), preload)
    }
    return LoadedEngine(
      NativeEngine(fonts.table, loading), retaining: [fonts, loading.presetRequests]
    ) { _, code in fonts[Int(code) - 1] }
  }

  /// What is asked for, what songs play and, for a sampler that may play anything, what channels have at first.
  private static func presets(
    of songs: [Song], in table: PresetTable, _ loading: EngineLoading<SamplerInstrument>
  ) -> Set<Int> {
    var wanted = Set(loading.askedPresets.compactMap(table.index))
    // What is asked for here is read from `programs`.
    let requests = RingBuffer<PresetRequest>(minimumCapacity: 16)
    for song in songs {
      let timeline = Timeline(song, sampleRate: loading.sampleRate)
      withExtendedLifetime((requests, timeline)) {
        wanted.formUnion(presets(of: timeline, ChannelPrograms(table, requests), loading.parts))
      }
    }
    if loading.configuration.sampler.pool == nil {
      withExtendedLifetime(requests) {
        var programs = ChannelPrograms(table, requests)
        programs.reset(Performance())
        for channel in 0..<midiChannelCount { wanted.insert(programs.asked(channel)) }
      }
    }
    return wanted
  }

  /// The presets that the notes of a timeline have.
  private static func presets(
    of timeline: Timeline, _ programs: consuming ChannelPrograms, _ parts: [InstrumentPart<SamplerInstrument>]
  ) -> Set<Int> {
    var wanted: Set<Int> = []
    let box = Box(Performance())
    let performance = box.pointer
    programs.reset(performance.pointee)
    for event in timeline.events {
      let message = event.message
      switch message.kind {
      case .noteOn:
        var delivery = PartDelivery(message, .other, to: performance.pointee)
        while let channel = delivery.next(performance.pointee)?.message.channel {
          let master = performance.pointee.zones.master(of: channel)
          // Of any key: songs are transposed as they play.
          if parts.contains(where: { $0.channels & 1 << UInt16(master) != 0 }) {
            wanted.insert(programs.asked(Int(channel)))
          }
        }
      case .controlChange where !message.controller.concernsPresets: break
      case .controlChange, .programChange, .systemExclusive, .registeredController:
        var delivery = PartDelivery(message, SystemExclusive(event.payload), to: performance.pointee)
        while let delivered = delivery.next(performance.pointee) {
          let played = EngineEvent(delivered.message, delivered.systemExclusive, followedBy: performance)
          if case .reset = played.systemExclusive {
            programs.reset(performance.pointee)
          } else {
            programs.follow(played)
          }
        }
      default: break
      }
    }
    withExtendedLifetime(box) {}
    return wanted
  }
}
