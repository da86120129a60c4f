import SynthALSA

/// The devices as a person wants to see them, in 80 columns.
struct DeviceListing {
  private static let width = 80
  private static let indent = "    "

  /// Of the outputs and the input that are named.
  let outputChannels: ChannelListing
  let inputChannels: ChannelListing

  var text: String {
    let outputs = section("Outputs, for --out", PCMHardware.all(.playback))
    let inputs = section("Inputs, for --in", PCMHardware.all(.capture))
    let channels =
      space("Output channels, by number for --map, by name for --assign", outputChannels) + "\n"
      + space("Input channels, by number for --map, by name for --in-assign", inputChannels)
    return "\(outputs)\n\(inputs)\n\(keyboards)\n\(others)\n\(channels)"
  }

  private var keyboards: String {
    let ports = (try? SequencerPort.instruments()) ?? []
    let rows = ports.map { prefix(visible("  \($0)"), ofColumns: Self.width) + "\n" }.joined()
    return "MIDI ports, for --connect\n" + (rows.isEmpty ? "  none: no keyboard is here\n" : rows)
  }

  private func section(_ title: String, _ devices: [PCMHardware]) -> String {
    let none = "  none: no sound card is here, or none that you may open\n"
    return "\(title)\n" + (devices.isEmpty ? none : devices.map(entry).joined())
  }

  private func entry(_ device: PCMHardware) -> String {
    let name =
      device.deviceName.hasPrefix(device.cardName)
      ? device.deviceName : "\(device.cardName), \(device.deviceName)"
    var lines = [visible("  \(device.id)  \(name)")]
    let holders = device.holders.map(\.description).joined(separator: ", ")
    do throws(PCMError) {
      lines += wrapped(facts(try device.capabilities()))
      if !holders.isEmpty { lines += wrapped(["in use by \(holders)"]) }
    } catch {
      if case .busy = error.cause {
        lines += wrapped(["in use by \(holders.isEmpty ? "another program" : holders)"])
      } else {
        lines += wrapped([error.cause.text(deviceRemedy)])
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private func facts(_ can: PCMCapabilities) -> [String] {
    let channels = can.channelCounts == 1...1 ? "1 channel" : "\(span(can.channelCounts)) channels"
    let maps = can.channelNames.map { $0.joined(separator: " ") }
    let names = maps.isEmpty ? [] : ["channels \(maps.joined(separator: " or "))"]
    return [
      channels, "\(kilohertz(can.sampleRates)) kHz", "periods of \(span(can.periods)) frames",
      "\(can.formats.map(\.description).joined(separator: ", ")) samples",
    ] + names
  }

  /// Each channel with its number and its name.
  private func space(_ title: String, _ channels: ChannelListing) -> String {
    var lines = [title]
    for device in channels.devices {
      switch device.channels {
      case .failure(let error): lines += wrapped([error.told])
      case .success(let channels):
        lines += channels.map { channel in
          let number = channel.number.map { "\($0)" } ?? "?"
          let padding = String(repeating: " ", count: max(0, 4 - number.count))
          return
            "\(padding)\(number)  \(device.name)#\(channel.position)\(channel.name.map { "  \($0)" } ?? "")"
        }
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// alsa-lib's other names, without those it makes of each card: `plughw:` stands for them.
  private var others: String {
    let listed = PCMDevice.outputs().filter { !$0.name.contains("CARD=") }
    let devices = listed.filter { $0.name == "default" } + listed.filter { $0.name != "default" }
    let width = min(devices.map { columns(visible($0.name)) }.max() ?? 0, 24)
    let rows = devices.map { device in
      prefix("  \(padded(visible(device.name), width))  \(oneLine(device.summary))", ofColumns: Self.width) + "\n"
    }
    return "Other outputs\n" + rows.joined()
      + "  plughw: in place of hw: converts what a device cannot do itself; default and\n"
      + "  dmix: share it with other programs.\n"
  }

  /// Parts separated by commas, on as many lines as they need.
  private func wrapped(_ parts: [String]) -> [String] {
    var lines: [String] = []
    for word in visible(parts.joined(separator: ", ")).split(separator: " ") {
      if let last = lines.last, columns(last) + 1 + columns(String(word)) <= Self.width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(Self.indent + word)
      }
    }
    return lines
  }

  private func span(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
  }

  private func kilohertz(_ range: ClosedRange<Int>) -> String {
    let bounds =
      range.lowerBound == range.upperBound
      ? [range.lowerBound] : [range.lowerBound, range.upperBound]
    return bounds.map { $0 % 1000 == 0 ? "\($0 / 1000)" : "\(Double($0) / 1000)" }.joined(
      separator: "–")
  }
}
