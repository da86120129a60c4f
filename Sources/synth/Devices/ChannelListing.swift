import ALSA

/// Where the channels of several devices stand in their channel space. Each device is opened for a moment, as for
/// playing.
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

  init(_ requests: [PCMRequest]) {
    var next: Int? = 0
    devices = requests.map { request in
      let name = PCMRequest.stableName(of: request.device)
      do throws(PCMError) {
        let parameters = try PCMOutput(request).parameters
        defer { next = next.map { $0 + parameters.channels } }
        return Device(name: name, channels: .success(Self.channels(parameters, from: next)))
      } catch {
        next = nil
        return Device(name: name, channels: .failure(error))
      }
    }
  }

  private static func channels(_ parameters: PCMParameters, from first: Int?) -> [Channel] {
    (0..<parameters.channels).map { index in
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
