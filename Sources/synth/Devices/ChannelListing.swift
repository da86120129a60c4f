import SynthALSA

/// Where the channels of devices stand in their channel space. Each device is opened for a moment, as for playing or
/// recording.
struct ChannelListing {
  struct Device {
    /// The name that stays the same, as assignments have it.
    let name: String
    let channels: Result<[Channel], PCMError>
  }

  struct Channel {
    /// In the channel space, from 0; nil if a device before it does not tell how many channels it has.
    let number: Int?
    /// On its device, from 1.
    let position: Int
    /// The driver's: FL, FR…
    let name: String?
  }

  let devices: [Device]

  /// Of outputs, the channels that these requests are granted.
  init(outputs requests: [PCMRequest]) {
    self.init(requests.map(\.device)) { index throws(PCMError) in try PCMOutput(requests[index]).parameters }
  }

  /// Of an input, every channel that the hardware has; of one that converts to any number, those it gives if not asked.
  init(input device: String) {
    self.init([device]) { _ throws(PCMError) in
      let most = try PCMCapabilities(of: device, .capture).channelCounts.upperBound
      return try PCMInput(PCMRequest(device: device, channelCount: most > Self.mostChannels ? nil : most)).parameters
    }
  }

  /// No hardware has more; a plugin that converts says 10000.
  private static let mostChannels = 256

  private init(_ names: [String], parameters: (_ index: Int) throws(PCMError) -> PCMParameters) {
    var next: Int? = 0
    devices = names.enumerated().map { index, name in
      let name = PCMRequest.stableName(of: name)
      do throws(PCMError) {
        let granted = try parameters(index)
        defer { next = next.map { $0 + granted.channelCount } }
        return Device(name: name, channels: .success(Self.channels(granted, from: next)))
      } catch {
        next = nil
        return Device(name: name, channels: .failure(error))
      }
    }
  }

  private static func channels(_ parameters: PCMParameters, from first: Int?) -> [Channel] {
    (0..<parameters.channelCount).map { index in
      let name =
        parameters.channelNames.indices.contains(index) ? parameters.channelNames[index] : nil
      return Channel(number: first.map { $0 + index }, position: index + 1, name: name)
    }
  }
}

extension PCMError {
  /// The error as the list of devices tells it, which is no place to refer to that list.
  var told: String {
    if case .noSuchDevice = cause {
      "\(operation) \(device): no such device"
    } else {
      errorLine(self)
    }
  }
}
