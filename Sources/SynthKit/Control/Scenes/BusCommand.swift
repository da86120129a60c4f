import AudioGraph
import SynthMIDI
import SynthText

/// What is asked of buses.
public enum BusCommand: Sendable, Equatable {
  /// Makes a bus that leads somewhere, or lets one that is there lead elsewhere.
  case make(String, Destination)
  /// Takes one away.
  case delete(String)
  /// Lets a strip lead elsewhere.
  case lead(Strip, Destination)
  /// Sends a share of a channel, 0 to 63, to a bus beside where it leads, in percent.
  case share(channel: Int, bus: String, percent: Double)
}

/// A bus, as lists show it.
public struct BusListing: Sendable, Equatable {
  /// What it is called.
  public let name: String
  /// Where it leads.
  public let destination: Destination
  /// What leads to it: "channel 10", "click", the names of buses.
  public let sources: [String]

  /// "drums to main, from channel 10, channel 11"
  var text: String {
    "\(name) to \(destination)" + (sources.isEmpty ? "" : ", from \(sources.joined(separator: ", "))")
  }
}

extension CommandWords {
  /// "drums", "phones 3-4", "delete drums".
  mutating func bus() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let name = try next()
    if name == "delete" { return .buses(.delete(try next())) }
    return .buses(.make(name, isAtEnd ? .main : try destination()))
  }

  /// "10 drums", "click phones".
  mutating func lead() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let word = try next()
    guard let strip = Strip(parsing: word), strip != .main else {
      throw .badValue(word, command: name, problem: "give \(Strip.leading)")
    }
    return .buses(.lead(strip, try destination()))
  }

  /// "10 room 30".
  mutating func share() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let word = try next()
    guard let channel = ChannelName.channel(word) else {
      throw .badValue(word, command: name, problem: "give \(ChannelName.expected)")
    }
    let bus = try next()
    let text = try next()
    guard let percent = Double(text.hasSuffix("%") ? text.dropLast() : text[...]), (0...100).contains(percent) else {
      throw .badValue(text, command: name, problem: "give 0 to 100 percent")
    }
    return .buses(.share(channel: Int(channel), bus: bus, percent: percent))
  }

  private mutating func destination() throws(SynthesizerCommandError) -> Destination {
    let word = try next()
    guard let destination = Destination(parsing: word) else {
      throw .badValue(word, command: name, problem: "give \(Destination.expected)")
    }
    return destination
  }
}

extension SynthesizerControl {
  func perform(_ command: BusCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    do {
      switch command {
      case .make(let name, let destination): try synthesizer.makeBus(name, to: destination)
      case .delete(let name): try synthesizer.removeBus(name)
      case .lead(let strip, let destination): try synthesizer.route(strip, to: destination)
      case .share(let channel, let name, let percent):
        try synthesizer.check(channel: channel, command: "share")
        guard let share = synthesizer.share(ofChannel: channel, to: name) else {
          throw BusError.unknown(name, known: synthesizer.buses.map(\.name))
        }
        share.value = Float(percent / 100)
      }
    } catch {
      throw error as? SynthesizerCommandError ?? .refused("\(error)")
    }
    return .buses(buses)
  }

  /// All buses, and what leads or sends to them.
  var buses: [BusListing] {
    let scene = synthesizer.scene
    return scene.buses.map { bus in
      var sources = scene.destinations.filter { $0.value == .bus(bus.name) }.keys.sorted().map(\.description)
      sources += scene.buses.filter { $0.destination == .bus(bus.name) }.map(\.name)
      for (strip, sends) in scene.sends.sorted(by: { $0.key < $1.key }) {
        if let percent = sends[bus.name] { sources.append("\(strip) at \(Self.figure(percent)) %") }
      }
      return BusListing(name: bus.name, destination: bus.destination, sources: sources)
    }
  }

  private static func figure(_ number: Double) -> String { NumberFormatting.text(number) }
}
