import MIDI
import Realtime

extension NativeEngine {
  /// Loads the fonts, and makes playable what is asked for. [control thread]
  static func load(_ loading: EngineLoading<SamplerInstrument>) throws(InstrumentError) -> LoadedEngine {
    guard RackNode.sampleRates.contains(loading.sampleRate) else { throw .sampleRateOutOfRange(loading.sampleRate) }
    let fonts = try NativeFonts(loading.configuration.sampler)
    switch loading.configuration.sampler.preload {
    case .all: fonts.load(nil)
    case .used(let songs): fonts.load(presets(of: songs, in: fonts.table, loading))
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
    // What songs ask for here is found out by `asked`.
    let requests = RingBuffer<PresetRequest>(minimumCapacity: 16)
    let performance = Box(Performance())
    for song in songs {
      var programs = ChannelPrograms(table, requests)
      performance.pointer.pointee.reset()
      programs.reset(performance.pointer.pointee)
      for event in Timeline(song, sampleRate: loading.sampleRate).events {
        let message = event.message
        switch message.kind {
        case .noteOn:
          let master = performance.pointer.pointee.zones.master(of: message.channel)
          // Of any key: songs are transposed as they play.
          if loading.parts.contains(where: { $0.channels & 1 << UInt16(master) != 0 }) {
            wanted.insert(programs.asked(Int(message.channel)))
          }
        case .controlChange where !message.controller.concernsPresets: break
        case .controlChange, .programChange, .systemExclusive, .registeredController:
          let played = EngineEvent(message, SystemExclusive(event.payload), followedBy: performance.pointer)
          if case .reset = played.systemExclusive {
            programs.reset(performance.pointer.pointee)
          } else {
            programs.follow(played)
          }
        default: break
        }
      }
    }
    if loading.configuration.sampler.pool == nil {
      var programs = ChannelPrograms(table, requests)
      performance.pointer.pointee.reset()
      programs.reset(performance.pointer.pointee)
      for channel in 0..<midiChannelCount { wanted.insert(programs.asked(channel)) }
    }
    return wanted
  }
}
