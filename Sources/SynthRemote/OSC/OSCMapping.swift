import SynthKit

// What OSC messages ask of a control surface, and what it tells as OSC messages; `docs/control.md` lists the addresses.

extension OSCMessage {
  /// Buttons of controllers send 1 when they are pressed and 0 when they are let go.
  private static let buttons: Set = ["next", "previous", "play", "pause"]

  /// What it asks for; nil for nothing.
  ///
  /// - Throws: what is wrong with it.
  func request() throws -> SurfaceRequest? {
    let parts = address.split(separator: "/").map(String.init)
    switch (parts.first ?? "", parts.count) {
    case ("subscribe", 1): return .subscribe(try subscription())
    case ("unsubscribe", 1): return .subscribe(SurfaceSubscription())
    case ("midi", 1), ("note", 1): return .play(try midi(parts[0]))
    case ("channel", 3) where parts[2] == "program":
      guard let value = values.first else { throw OSCProblem("\(address): give a value") }
      return .command("program \(parts[1]) \(value.typed)")
    case (let word, 1) where !word.isEmpty:
      if Self.buttons.contains(word), let pressed = isPressed { return pressed ? .command(word) : nil }
      return .command(([word] + values.map(\.typed)).joined(separator: " "))
    case (_, 0): throw OSCProblem("\(address): no such address; docs/control.md lists them")
    default: return values.first.map { .set(.path(address), to: $0.typed) } ?? .get(.path(address))
    }
  }

  /// What the answer repeats: the address that was asked for.
  var id: SurfaceRequest.ID? { values.isEmpty && address.split(separator: "/").count > 1 ? .text(address) : nil }

  private var isPressed: Bool? {
    guard values.count == 1 else { return nil }
    switch values[0] {
    case .number(let number): return number != 0
    case .bool(let isOn): return isOn
    default: return nil
    }
  }

  /// A number is how often meters are to come; texts are the paths of parameters.
  private func subscription() throws -> SurfaceSubscription {
    var (rate, paths) = (0, [SurfacePath]())
    for value in values {
      switch value {
      case .number(let number): rate = try SurfaceSubscription.rate(number)
      case .text(let path) where path.hasPrefix("/"): paths.append(.path(path))
      default: throw OSCProblem("\(address): give how often meters are to come, and paths of parameters")
      }
    }
    return SurfaceSubscription(isToState: true, meterRate: rate, paths: paths)
  }

  private func midi(_ word: String) throws(OSCProblem) -> [UInt8] {
    if word == "midi", values.count == 1, case .midi(let bytes) = values[0] {
      return bytes[0] & 0xE0 == 0xC0 ? Array(bytes.prefix(2)) : bytes
    }
    let numbers = values.compactMap { if case .number(let number) = $0 { UInt8(exactly: number) } else { nil } }
    guard numbers.count == 3, values.count == 3 else {
      throw OSCProblem("\(address): give \(word == "note" ? "channel, key and velocity" : "status and two data bytes")")
    }
    guard word == "note" else { return numbers }
    guard (1...16).contains(numbers[0]), numbers[1] < 128, numbers[2] < 128 else {
      throw OSCProblem("\(address): give a channel from 1 to 16, a key and a velocity from 0 to 127")
    }
    return [0x8F + numbers[0], numbers[1], numbers[2]]
  }
}

/// Why a message is nothing that can be asked.
struct OSCProblem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension OSCMessage.Value {
  /// As it would be typed.
  var typed: String {
    switch self {
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .text(let text): text
    case .bool(let isOn): isOn ? "on" : "off"
    case .midi(let bytes): bytes.map(String.init).joined(separator: " ")
    }
  }
}

// MARK: - What is told

extension OSCMessage {
  /// The message with what an asker may see of paths.
  func shown(to asker: Asker) -> OSCMessage {
    OSCMessage(address, values.map { if case .text(let text) = $0 { .text(asker.shown(text)) } else { $0 } })
  }

  /// What a surface tells, for a peer.
  static func messages(of news: SurfaceNews) -> [OSCMessage] {
    switch news {
    case .answer(.refusal(let problem), _): [OSCMessage("/error", .text(problem))]
    case .answer(.nodes(let nodes), .text(let address)?): nodes.prefix(1).flatMap { message(address, $0.value) }
    case .answer(.text(let answer), _): answer.isEmpty ? [] : [OSCMessage("/answer", .text(answer))]
    case .answer, .greeting: []
    case .state(let sections), .change(let sections): sections.flatMap(messages)
    case .changed(let nodes): nodes.flatMap { message($0.path, $0.value) }
    case .entry(let entry): [OSCMessage("/news", .text(entry.text))]
    case .meters(let meters):
      [OSCMessage("/meters", ([meters.main] + meters.channels).flatMap { [.number($0.x), .number($0.y)] })]
    }
  }

  private static func messages(_ section: SurfaceSection) -> [OSCMessage] {
    switch section {
    case .channels(let channels):
      return channels.flatMap { channel in
        let place = "/channel/\(channel.channel + 1)"
        return (channel.preset.map { [OSCMessage("\(place)/preset", .text($0.name))] } ?? [])
          + channel.settings.flatMap { message("\(place)/\($0.name)", $0.value) }
      }
    case .buses(let buses):
      return buses.flatMap { bus in
        let place = "/bus/\(bus.listing.name)"
        return [OSCMessage("\(place)/to", .text(bus.listing.destination.word))]
          + bus.settings.flatMap { message("\(place)/\($0.name)", $0.value) }
      }
    case .equalizer(let equalizer): return [OSCMessage("/preset", .text(equalizer.preset))]
    case .gain(let level): return [OSCMessage("/gain", .number(level))]
    case .effect(let effect, let present): return [OSCMessage("/\(effect)", .text(present.type ?? "off"))]
    case .song(let song?):
      return [
        OSCMessage("/song", .text(song.title)), OSCMessage("/paused", .bool(song.isPaused)),
        OSCMessage("/tempo", .number((song.tempo * 1000).rounded() / 10)),
      ]
    default: return []
    }
  }

  /// A value on its address; none for a list.
  private static func message(_ address: String, _ value: PropertyValue) -> [OSCMessage] {
    switch value {
    case .number, .integer: [OSCMessage(address, .number(value.number ?? 0))]
    case .bool(let isOn): [OSCMessage(address, .bool(isOn))]
    case .text(let text): [OSCMessage(address, .text(text))]
    case .list: []
    }
  }
}
