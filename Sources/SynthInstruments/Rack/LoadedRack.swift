import AudioGraph
import SynthMIDI
import SynthRealtime

/// All engines of a rack, loaded for each of its ports: an exchange replaces one of these by another. Made and freed on
/// the control side; between the two, the audio thread alone touches its engines.
final class LoadedRack: @unchecked Sendable {
  /// Counts from 1.
  let serial: UInt32
  let ports: RackPorts
  private let loaded: [[Loaded]]
  /// What the ports were told; kept here, because the audio thread has them as long as this.
  private let performances: [Box<Performance>]

  private struct Loaded {
    let engine: LoadedEngine
    let titles: [(channels: UInt16, title: String)]
  }

  /// Loads the engines that the assignments need. [control thread]
  ///
  /// - Parameters:
  ///   - performances: of each port.
  ///   - askedPresets: presets that are loaded in any case.
  ///   - presetRequests: takes what channels ask for that is not loaded.
  init(
    _ configuration: RackConfiguration, serial: UInt32, isForNextSong: Bool, performances: [Box<Performance>],
    askedPresets: Set<PresetRequest>, presetRequests: RingBuffer<PresetRequest>, sampleRate: Double
  ) throws(InstrumentError) {
    let ports = RackPorts(performances.map(\.pointer))
    ports.setForNextSong(isForNextSong)
    var loaded: [[Loaded]] = []
    do throws(InstrumentError) {
      for port in performances.indices {
        let configuration = performances.count == 1 ? configuration : configuration.onPort(port)
        let routing = RackRouting(configuration.assignments, port: port)
        let engines = RackEngines(
          capacity: routing.engines.count, serial: serial, gain: Float(configuration.sampler.linearGain))
        ports.append(engines)
        func load<Playable: Instrument>(_ type: Playable.Type) throws(InstrumentError) -> Loaded {
          let loading = EngineLoading<Playable>(
            parts: routing.parts(of: type), configuration: configuration, sampleRate: sampleRate,
            askedPresets: askedPresets, presetRequests: presetRequests)
          let engine = try type.load(loading)
          engines.append(engine, type: ObjectIdentifier(type), InstrumentPlaces(loading.parts.map(\.place)))
          return Loaded(
            engine: engine, titles: loading.parts.map { (channels: $0.channels, title: $0.instrument.title) })
        }
        loaded.append([])
        for type in routing.engines { loaded[port].append(try load(type)) }
      }
    } catch {
      ports.free()
      throw error
    }
    self.serial = serial
    self.ports = ports
    self.loaded = loaded
    self.performances = performances
  }

  deinit { ports.free() }

  /// A channel's preset by what the audio thread reported; nil for none. [any thread]
  ///
  /// - Parameter channel: among those of all ports.
  func preset(ofChannel channel: Int, engine: Int, code: UInt32) -> ChannelPreset? {
    let (port, channel) = (channel / 16, channel % 16)
    guard loaded.indices.contains(port), loaded[port].indices.contains(engine) else { return nil }
    let loaded = loaded[port][engine]
    if let presetName = loaded.engine.presetName { return presetName(channel, code) }
    let titles = loaded.titles.filter { $0.channels & 1 << UInt16(channel) != 0 }.map(\.title)
    return titles.isEmpty ? nil : ChannelPreset(name: titles.joined(separator: " + "))
  }
}

extension RackConfiguration {
  /// What engines of a port are loaded for: of songs, those of its events.
  fileprivate func onPort(_ port: Int) -> RackConfiguration {
    var new = self
    if case .used(let songs) = sampler.preload { new.sampler.preload = .used(songs.map { $0.onPort(port) }) }
    return new
  }
}
