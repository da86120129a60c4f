import ALSA
import AudioGraph

extension SynthesizerConfiguration {
  /// The same for the rate and the channels that devices have granted. [control thread]
  ///
  /// - Parameter assignments: in place of a channel map; none for what the map says, or the first channels.
  public func granted(
    by device: PCMAggregate, _ assignments: [ChannelAssignment]
  ) throws(ChannelAssignmentError) -> SynthesizerConfiguration {
    var granted = self
    granted.sampleRate = Double(device.parameters.rate)
    granted.channelCount = device.channelCount
    guard !assignments.isEmpty else { return granted }
    if let channelMap { throw .mapGivenToo(channelMap) }
    granted.channelMap = try device.channelSpace.map(
      assignments.map {
        ChannelAssignment(
          device: PCMRequest.lastingName(of: $0.device), channel: $0.channel, source: $0.source)
      })
    return granted
  }
}

extension PCMAggregate {
  /// Which channels are whose, under the devices' lasting names.
  public var channelSpace: ChannelSpace {
    ChannelSpace(
      outputs.map {
        ChannelSpace.Device(
          name: PCMRequest.lastingName(of: $0.parameters.device), channelCount: $0.parameters.channels)
      })
  }
}
