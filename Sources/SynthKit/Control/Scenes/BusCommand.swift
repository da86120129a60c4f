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

extension CommandWords {
  /// "drums", "phones 3-4", "delete drums".
  mutating func bus() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let name = try next()
    if name == "delete" { return .buses(.delete(try next())) }
    return .buses(.make(name, isAtEnd ? .main : try destination()))
  }

  /// "10 drums", "click phones".
  mutating func lead() throws(SynthesizerCommandError) -> SynthesizerCommand {
    .buses(.lead(try strip(.source), try destination()))
  }

  /// "10 room 30".
  mutating func share() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let channel = try channel()
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
        for strip in [.channel(channel), .bus(name)] as [Strip] { try synthesizer.check(strip, command: "share") }
        synthesizer.share(ofChannel: channel, to: name)?.value = Float(percent / 100)
      }
    } catch {
      throw error as? SynthesizerCommandError ?? .refused("\(error)")
    }
    return .buses(synthesizer.busListings)
  }
}
