import SynthText

/// A bus, as lists show it.
public struct BusListing: Sendable, Equatable {
  /// As commands call it: "drums".
  public let name: String
  /// Where it leads.
  public let destination: Destination
  /// What leads to it.
  public let sources: [Strip]
  /// What is sent to it beside where that leads.
  public let shares: [Share]

  /// How much of a strip is sent to a bus.
  public struct Share: Sendable, Equatable {
    /// A channel.
    public let strip: Strip
    /// Above 0, to 100.
    public let percent: Double
  }

  /// "drums to main, from channel 10, channel 3 at 30 %"
  var text: String {
    let parts = sources.map(\.description) + shares.map { "\($0.strip) at \(NumberFormatting.text($0.percent)) %" }
    return "\(name) to \(destination)" + (parts.isEmpty ? "" : ", from \(parts.joined(separator: ", "))")
  }
}

extension Synthesizer {
  /// All buses, and what leads or sends to them. [any thread]
  var busListings: [BusListing] {
    let (rack, inputs) = (busRack.withLock { $0 }, channelInputs)
    return rack.buses.map { bus in
      let shares = inputs.enumerated().map { channel, input in
        // In hundredths, which a Float of 0.3 is not.
        let percent = (Double(input.sends[bus.mixerBus - 1].value) * 10_000).rounded() / 100
        return BusListing.Share(strip: .channel(channel), percent: percent)
      }
      return BusListing(
        name: bus.name, destination: rack.destination(of: .bus(bus.name)),
        sources: rack.destinations.filter { $0.value == .bus(bus.name) }.keys.sorted(),
        shares: shares.filter { $0.percent > 0 })
    }
  }
}
