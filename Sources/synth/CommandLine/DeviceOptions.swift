import SynthALSA
import SynthKit

/// The options that choose the output devices and their channels, the same for songs and for playing live.
struct DeviceOptions {
  static let options: [Option] = [.device, .fallback, .assign, .channels, .rate, .latency, .period]

  /// The first is the clock, and has the fallbacks.
  let requests: [PCMRequest]
  let assignments: [ChannelAssignment]
  /// In place of devices, where `--out jack` was given.
  let jack: JACKRequest?

  init(_ arguments: Arguments) throws(UsageError) {
    let named = arguments.all(.device)
    let devices = named.isEmpty ? ["default"] : named
    let channels = try Self.channels(arguments, deviceCount: devices.count)
    var requests: [PCMRequest] = []
    for (index, device) in devices.enumerated() {
      requests.append(
        PCMRequest(
          device: device,
          fallbacks: index == 0 ? arguments.all(.fallback) : [],
          channelCount: channels[index],
          sampleRate: try arguments.number(.rate, in: 8000...768_000),
          latency: try arguments.last(.latency).map(Self.latency) ?? .normal,
          period: try arguments.number(.period, in: 16...65536)))
    }
    self.requests = requests
    assignments = try Self.assignments(arguments)
    jack = try Self.jack(arguments, requests)
  }

  /// Opens what is played on.
  ///
  /// - Parameter hasMIDI: whether JACK's clients are to play, too.
  func open(hasMIDI: Bool = false) throws -> any ReportedOutput {
    guard var jack else { return try DeviceOutput(requests) }
    jack.hasMIDI = hasMIDI
    return try JACKOutput(jack)
  }

  /// The configuration for what is played on.
  func adapted(
    _ configuration: SynthesizerConfiguration, to output: any OutputUnit
  ) throws -> SynthesizerConfiguration {
    guard let device = output as? DeviceOutput else { return configuration.adapted(to: output) }
    return try configuration.adapted(to: device, assignments)
  }

  /// Nil unless `--out jack` or `--out jack:NAME` was given.
  private static func jack(_ arguments: Arguments, _ requests: [PCMRequest]) throws(UsageError) -> JACKRequest? {
    let names = requests.map(\.device)
    if requests[0].fallbacks.contains(where: isJACK) { throw .missing("--fallback is for sound cards: jack is none") }
    guard names.contains(where: isJACK) else { return nil }
    if names.count > 1 { throw .missing("--out jack is all of the output: give no other --out") }
    for option in [Option.fallback, .assign] where arguments.isGiven(option) {
      throw .missing("\(option.rawValue) is for sound cards: leave it out with --out \(names[0])")
    }
    let client = names[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
    return JACKRequest(
      clientName: client.map(String.init) ?? "synth", channelCount: requests[0].channelCount ?? 2,
      sampleRate: requests[0].sampleRate)
  }

  static func isJACK(_ name: String) -> Bool { name == "jack" || name.hasPrefix("jack:") }

  /// Says what devices that were named do beside the sound, before they are opened.
  func tellEffects() {
    for name in requests.flatMap({ [$0.device] + $0.fallbacks }) where jack == nil { Self.tellEffect(of: name) }
  }

  /// Says what a device does beside the sound.
  static func tellEffect(of name: String) {
    if let effect = PCMDevice.effect(of: name) { Terminal.warn("\(name): \(effect)") }
  }

  /// One count for all devices, or one for each.
  private static func channels(_ arguments: Arguments, deviceCount: Int) throws(UsageError) -> [Int?] {
    guard let text = arguments.last(.channels) else { return Array(repeating: nil, count: deviceCount) }
    let counts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard counts.allSatisfy((1...64).contains), counts.count == 1 || counts.count == deviceCount else {
      let each = deviceCount == 1 ? "" : ", or \(deviceCount) of them with commas between, one for each --out"
      throw .badValue(.channels, text, expected: "a whole number from 1 to 64\(each)")
    }
    return counts.count == 1 ? Array(repeating: counts[0], count: deviceCount) : counts
  }

  private static func assignments(_ arguments: Arguments) throws(UsageError) -> [ChannelAssignment] {
    var assignments: [ChannelAssignment] = []
    for text in arguments.all(.assign) {
      do throws(ChannelAssignmentError) {
        assignments.append(try ChannelAssignment(parsing: text))
      } catch {
        throw .badValue(
          .assign, text, expected: "a device, a channel from 1 and left, right or mono, as in hw:CARD=B,DEV=0#1=left")
      }
    }
    if !assignments.isEmpty, arguments.has(.map) { throw .missing("choose one of --map and --assign") }
    return assignments
  }

  static func latency(_ text: String) throws(UsageError) -> PCMLatency {
    if text == "low" { return .low }
    if text == "safe" { return .safe }
    guard let milliseconds = Double(text), (1...2000).contains(milliseconds) else {
      throw .badValue(.latency, text, expected: "low, safe, or 1 to 2000 milliseconds")
    }
    return .seconds(milliseconds / 1000)
  }
}
