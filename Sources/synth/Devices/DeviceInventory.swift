import AudioGraph
import SynthALSA
import SynthText

/// The devices as a program wants to read them, in JSON.
///
/// An object with the lists `outputs`, `inputs`, `midi`, `others`, `channelSpace` (that of the outputs) and
/// `inputChannelSpace`. A device that cannot tell what it can do, such as a busy one, has `error` in place of
/// `channels`, `rates`, `periods`, `buffers`, `formats` and `channelNames`. In a channel space, `channels` have a
/// `number` for --map, a `device` and `channel` for --assign or --in-assign, and a `name` if the driver tells one.
enum DeviceInventory {
  static func json(_ outputs: ChannelListing, _ input: ChannelListing) -> JSONValue {
    .object([
      ("outputs", .array(PCMHardware.all(.playback).map(entry))),
      ("inputs", .array(PCMHardware.all(.capture).map(entry))),
      ("midi", .array(((try? SequencerPort.instruments()) ?? []).map(entry))),
      (
        "others",
        .array(PCMDevice.outputs().map { .object([("id", .string($0.name)), ("summary", .string($0.summary))]) })
      ),
      ("channelSpace", .array(outputs.devices.map(entry))),
      ("inputChannelSpace", .array(input.devices.map(entry))),
    ])
  }

  private static func entry(_ device: ChannelListing.Device) -> JSONValue {
    let identity = ("device", JSONValue.string(device.name))
    switch device.channels {
    case .failure(let error): return .object([identity, ("error", .string(error.told))])
    case .success(let channels):
      return .object([identity, ("channels", .array(channels.map(entry)))])
    }
  }

  private static func entry(_ channel: ChannelListing.Channel) -> JSONValue {
    let number = channel.number.map { [("number", JSONValue.number($0))] } ?? []
    let name = channel.name.map { [("name", JSONValue.string($0))] } ?? []
    return .object(number + [("channel", .number(channel.position))] + name)
  }

  private static func entry(_ device: PCMHardware) -> JSONValue {
    let holders = device.holders.map {
      JSONValue.object([("name", .string($0.name)), ("pid", .number(Int($0.process)))])
    }
    let identity: [(String, JSONValue)] = [
      ("id", .string(device.id)), ("address", .string(device.address)), ("card", .string(device.cardName)),
      ("device", .string(device.deviceName)), ("holders", .array(holders)),
    ]
    do throws(PCMError) {
      return .object(identity + facts(try device.capabilities()))
    } catch {
      return .object(identity + [("error", .string(errorLine(error)))])
    }
  }

  private static func entry(_ port: SequencerPort) -> JSONValue {
    .object([
      ("address", .string("\(port.address)")), ("client", .string(port.clientName)), ("port", .string(port.portName)),
    ])
  }

  private static func facts(_ can: PCMCapabilities) -> [(String, JSONValue)] {
    [
      ("channels", range(can.channelCounts)), ("rates", range(can.sampleRates)), ("periods", range(can.periods)),
      ("buffers", range(can.buffers)), ("formats", .array(can.formats.map { .string($0.description) })),
      ("channelNames", .array(can.channelNames.map { .array($0.map(JSONValue.string)) })),
    ]
  }

  private static func range(_ range: ClosedRange<Int>) -> JSONValue {
    .object([("min", .number(range.lowerBound)), ("max", .number(range.upperBound))])
  }
}
