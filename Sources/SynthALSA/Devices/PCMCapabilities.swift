import CSynthALSA
import Glibc
import SynthDSP

/// What a PCM device supports. Not every value within a range is possible, nor every combination.
public struct PCMCapabilities: Sendable, Equatable {
  /// Channel counts.
  public let channelCounts: ClosedRange<Int>
  /// Frames per second, without alsa-lib's resampler.
  public let sampleRates: ClosedRange<Int>
  /// Sample formats, best first.
  public let formats: [SampleFormat]
  /// Frames per period.
  public let periods: ClosedRange<Int>
  /// Frames of buffer.
  public let buffers: ClosedRange<Int>
  /// The channel maps the driver knows, each the names of its channels in order: `["FL", "FR"]`. Often empty.
  public let channelNames: [[String]]

  /// Opens the device, asks it and closes it. A busy device is an error at once. [any thread]
  /// The corresponding C functions are `snd_pcm_hw_params_any` and `snd_pcm_query_chmaps`.
  public init(of device: String, _ direction: PCMDirection = .playback) throws(PCMError) {
    let handle = try PCMHandle(opening: device, direction)
    let space = try HardwareParameters(handle.pcm, device: device)
    try space.reset()
    channelCounts = space.channels
    sampleRates = space.rates
    formats = space.formats
    periods = space.periods
    buffers = space.buffers
    channelNames = ChannelNames.possible(on: handle.pcm)
  }
}

/// Channel positions in ALSA's short names: FL, FR, RL, RR, FC, LFE…
enum ChannelNames {
  /// Every map the driver knows. (snd_pcm_query_chmaps)
  static func possible(on pcm: OpaquePointer) -> [[String]] {
    guard let queries = snd_pcm_query_chmaps(pcm) else { return [] }
    defer { snd_pcm_free_chmaps(queries) }
    var maps: [[String]] = []
    while let query = queries[maps.count] {
      maps.append(names(UnsafeRawPointer(query) + MemoryLayout<snd_pcm_chmap_query_t>.size, query.pointee.map.channels))
    }
    return maps
  }

  /// The present map of a PCM that is set up; empty if the driver has none. (snd_pcm_get_chmap)
  static func current(on pcm: OpaquePointer) -> [String] {
    guard let map = snd_pcm_get_chmap(pcm) else { return [] }
    defer { free(map) }
    return names(UnsafeRawPointer(map) + MemoryLayout<snd_pcm_chmap_t>.size, map.pointee.channels)
  }

  /// The positions follow a struct, in a flexible array member, which Swift does not import.
  private static func names(_ positions: UnsafeRawPointer, _ count: UInt32) -> [String] {
    (0..<Int(count)).map { index in
      let position = positions.load(fromByteOffset: index * 4, as: UInt32.self) & UInt32(SND_CHMAP_POSITION_MASK)
      return snd_pcm_chmap_name(snd_pcm_chmap_position(position)).map { String(cString: $0) } ?? "?"
    }
  }
}
