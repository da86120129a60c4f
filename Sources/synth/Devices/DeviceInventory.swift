import ALSA
import AudioGraph

/// The devices as a program wants to read them, in JSON.
///
/// An object with the lists `outputs`, `inputs`, `midi`, `others` and `channelSpace`. A device that cannot tell what it can do, such as a busy
/// one, has `error` in place of `channels`, `rates`, `periods`, `buffers`, `formats` and `channelNames`. In the channel space, `channels` have a `number` for --map, a `device` and `channel` for
/// --assign, and a `name` if the driver tells one.
enum DeviceInventory {
  static func json(_ channels: ChannelListing) -> JSONText {
    .object([
      ("outputs", .list(PCMHardware.all(.playback).map(entry))),
      ("inputs", .list(PCMHardware.all(.capture).map(entry))),
      ("midi", .list(((try? SequencerPort.instruments()) ?? []).map(entry))),
      (
        "others",
        .list(PCMDevice.outputs().map { .object([("id", .text($0.name)), ("summary", .text($0.summary))]) })
      ),
      ("channelSpace", .list(channels.devices.map(entry))),
    ])
  }

  private static func entry(_ device: ChannelListing.Device) -> JSONText {
    let identity = ("device", JSONText.text(device.name))
    switch device.channels {
    case .failure(let error): return .object([identity, ("error", .text(error.told))])
    case .success(let channels):
      return .object([identity, ("channels", .list(channels.map(entry)))])
    }
  }

  private static func entry(_ channel: ChannelListing.Channel) -> JSONText {
    let number = channel.number.map { [("number", JSONText.number($0))] } ?? []
    let name = channel.name.map { [("name", JSONText.text($0))] } ?? []
    return .object(number + [("channel", .number(channel.position))] + name)
  }

  private static func entry(_ device: PCMHardware) -> JSONText {
    let holders = device.holders.map { JSONText.object([("name", .text($0.name)), ("pid", .number(Int($0.process)))]) }
    let identity: [(String, JSONText)] = [
      ("id", .text(device.id)), ("address", .text(device.address)), ("card", .text(device.cardName)),
      ("device", .text(device.deviceName)), ("holders", .list(holders)),
    ]
    do throws(PCMError) {
      return .object(identity + facts(try device.capabilities()))
    } catch {
      return .object(identity + [("error", .text("\(error)"))])
    }
  }

  private static func entry(_ port: SequencerPort) -> JSONText {
    .object([("address", .text("\(port.address)")), ("client", .text(port.clientName)), ("port", .text(port.portName))])
  }

  private static func facts(_ can: PCMCapabilities) -> [(String, JSONText)] {
    [
      ("channels", range(can.channels)), ("rates", range(can.rates)), ("periods", range(can.periods)),
      ("buffers", range(can.buffers)), ("formats", .list(can.formats.map { .text($0.description) })),
      ("channelNames", .list(can.channelNames.map { .list($0.map(JSONText.text)) })),
    ]
  }

  private static func range(_ range: ClosedRange<Int>) -> JSONText {
    .object([("min", .number(range.lowerBound)), ("max", .number(range.upperBound))])
  }
}
