import SynthText

// What OSC messages ask of a control surface, and what it tells as OSC messages; `docs/control.md` lists the addresses.

extension OSCMessage {
  /// Buttons of controllers send 1 when they are pressed and 0 when they are let go.
  private static let buttons: Set = ["next", "previous", "play", "pause"]

  /// The request as the surface takes it; nil for none. `problem` says why it cannot be one.
  func request() throws(OSCProblem) -> JSONValue? {
    let parts = address.split(separator: "/").map(String.init)
    switch (parts.first ?? "", parts.count) {
    case ("subscribe", 1): return try subscription()
    case ("unsubscribe", 1): return .object([("subscribe", .object([]))])
    case ("midi", 1), ("note", 1): return .object([("midi", .array(try midi(parts[0]).map { .number(Int($0)) }))])
    case ("channel", 3) where parts[2] == "program":
      guard let value = values.first else { throw OSCProblem("\(address): give a value") }
      return Self.command("program \(parts[1]) \(value.typed)")
    case (let word, 1) where !word.isEmpty:
      if Self.buttons.contains(word), let pressed = isPressed { return pressed ? Self.command(word) : nil }
      return Self.command(([word] + values.map(\.typed)).joined(separator: " "))
    case (_, 0): throw OSCProblem("\(address): no such address; docs/control.md lists them")
    default:
      guard let value = values.first else { return .object([("id", .string(address)), ("get", .string(address))]) }
      return .object([("set", .string(address)), ("to", value.json)])
    }
  }

  private static func command(_ line: String) -> JSONValue { .object([("do", .string(line))]) }

  private var isPressed: Bool? {
    guard values.count == 1 else { return nil }
    switch values[0] {
    case .number(let number): return number != 0
    case .bool(let isOn): return isOn
    default: return nil
    }
  }

  /// A number is how often meters are to come; texts are the addresses of parameters.
  private func subscription() throws(OSCProblem) -> JSONValue {
    var members: [(String, JSONValue)] = [("state", .bool(true))]
    var parameters: [JSONValue] = []
    for value in values {
      switch value {
      case .number(let rate): members.append(("meters", .number(rate)))
      case .text(let address): parameters.append(.string(address))
      default: throw OSCProblem("\(address): give how often meters are to come, and addresses of parameters")
      }
    }
    return .object([("subscribe", .object(members + [("parameters", .array(parameters))]))])
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

  fileprivate var json: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .bool(let isOn): .bool(isOn)
    case .text, .midi: .string(typed)
    }
  }
}

// MARK: - What is told

extension OSCMessage {
  /// A line of the surface, for a peer.
  static func messages(of line: JSONValue) -> [OSCMessage] {
    if let problem = line["error"]?.text { return [OSCMessage("/error", .text(problem))] }
    if let address = line["id"]?.text, let found = line["parameters"]?.list?.first {
      return found["value"].flatMap(value).map { [OSCMessage(address, $0)] } ?? []
    }
    if let answer = line["answer"]?.text { return answer.isEmpty ? [] : [OSCMessage("/answer", .text(answer))] }
    if let meters = line["meters"] { return [messages(ofMeters: meters)] }
    if let news = line["news"]?["text"]?.text { return [OSCMessage("/news", .text(news))] }
    return (line["state"] ?? line["change"]).map(messages(ofState:)) ?? []
  }

  /// Left and right of all, then of the channels.
  private static func messages(ofMeters meters: JSONValue) -> OSCMessage {
    let pairs = [meters["main"]].compactMap(\.self) + (meters["channels"]?.list ?? [])
    return OSCMessage("/meters", pairs.flatMap { $0.list ?? [] }.compactMap(value))
  }

  private static func messages(ofState state: JSONValue) -> [OSCMessage] {
    func message(_ address: String, _ value: JSONValue?) -> [OSCMessage] {
      value.flatMap(Self.value).map { [OSCMessage(address, $0)] } ?? []
    }
    let channels = (state["channels"]?.list ?? []).flatMap { channel -> [OSCMessage] in
      guard case .object(let members) = channel.content else { return [] }
      let place = "/channel/\(channel["channel"] ?? .null)"
      return members.filter { !["channel", "instrument"].contains($0.key) }
        .flatMap { message("\(place)/\($0.key)", $0.key == "preset" ? $0.value["name"] : $0.value) }
    }
    func type(_ effect: String) -> [OSCMessage] {
      state[effect].map { [OSCMessage("/\(effect)", .text($0["type"]?.text ?? "off"))] } ?? []
    }
    let song = state["song"]
    let parameters = (state["parameters"]?.list ?? []).flatMap { parameter -> [OSCMessage] in
      message(parameter["path"]?.text ?? "", parameter["value"])
    }
    return channels + message("/preset", state["equalizer"]?["preset"]) + message("/gain", state["gain"])
      + type("reverb") + type("chorus") + type("delay") + message("/song", song?["title"])
      + message("/paused", song?["paused"])
      + message("/tempo", song?["tempo"].flatMap(\.number).map { .number(($0 * 1000).rounded() / 10) }) + parameters
  }

  private static func value(_ value: JSONValue) -> Value? {
    switch value.content {
    case .number(let number): .number(number)
    case .bool(let isOn): .bool(isOn)
    case .string(let text): .text(text)
    case .null, .array, .object: nil
    }
  }
}
