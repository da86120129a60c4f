import AudioGraph
import SynthALSA
import SynthDSP
import SynthKit

/// The options that choose an input device and its channels.
struct InputOptions {
  static let options: [Option] = [.input, .map, .inputAssign, .channels, .rate, .latency, .period]

  /// What a recording is to have.
  let rate: Int?
  /// How many channels are wanted; nil for those of the map or of the device.
  let channelCount: Int?
  private let device: String
  private let latency: PCMLatency
  private let period: Int?
  private let channelMap: ChannelMap?
  /// Channels of the device, counted from 0.
  private let assignments: [(device: String, channel: Int)]

  init(_ arguments: Arguments) throws(UsageError) {
    device = try Self.device(arguments)
    rate = try arguments.number(.rate, in: 8000...768_000)
    channelCount = try arguments.number(.channels, in: 1...64)
    latency = try arguments.last(.latency).map(DeviceOptions.latency) ?? .normal
    period = try arguments.number(.period, in: 16...65536)
    channelMap = try arguments.channelMap()
    assignments = try arguments.all(.inputAssign).map { text throws(UsageError) in
      guard let hash = text.lastIndex(of: "#"), hash != text.startIndex,
        let channel = Int(text[text.index(after: hash)...]), (1...1024).contains(channel)
      else { throw .badValue(.inputAssign, text, expected: "a device and its channel from 1, as in hw:CARD=B,DEV=0#3") }
      return (String(text[..<hash]), channel - 1)
    }
    if channelMap != nil, !assignments.isEmpty { throw .missing("choose one of --map and --in-assign") }
  }

  static func device(_ arguments: Arguments) throws(UsageError) -> String {
    if arguments.all(.input).count > 1 { throw .missing("give one --in: one device is recorded at a time") }
    return arguments.last(.input) ?? "default"
  }

  /// How many channels the map or the assignments ask for; nil without them.
  var mapCount: Int? { channelMap?.sources.count ?? (assignments.isEmpty ? nil : assignments.count) }

  /// Opens the device, with as many channels as the map, the assignments or the count need.
  ///
  /// - Throws: `PCMError`, or `NoSuchInput`, which lists those that are present.
  func open() throws -> DeviceInput {
    var request = PCMRequest(device: device, sampleRate: rate, latency: latency, period: period)
    let highest = (channelMap?.sources ?? assignments.map(\.channel)).max()
    if let need = highest.map({ $0 + 1 }) ?? channelCount {
      let known = try? PCMCapabilities(of: device, .capture).channelCounts
      let most = highest == nil ? need : known?.upperBound ?? need
      request.channelCount = max(1, known?.lowerBound ?? 1, min(need, most))
    }
    return try Self.open(request)
  }

  /// - Throws: `PCMError`, or `NoSuchInput`, which lists those that are present.
  static func open(_ request: PCMRequest) throws -> DeviceInput {
    do throws(PCMError) {
      return try DeviceInput(request)
    } catch {
      guard error.cause == .noSuchDevice else { throw error }
      throw NoSuchInput(error: error, known: PCMHardware.all(.capture).map(\.id))
    }
  }

  /// The device's channel for each that is wanted; nil for the first ones.
  func map(of input: DeviceInput) throws(ChannelAssignmentError) -> ChannelMap? {
    if assignments.isEmpty { return channelMap }
    let space = input.channelSpace
    var sources: [Int] = []
    for (device, channel) in assignments {
      sources.append(try space.channel(channel, of: PCMRequest.stableName(of: device)))
    }
    return ChannelMap(sources)
  }
}

extension DeviceInput {
  /// Its level where none is given: a card's own microphone and speakers howl at more.
  func safeGain(to output: any OutputUnit) -> Decibels { Decibels(sharesClock(with: output) ? -12 : 0) }
}

/// There is no input of that name.
struct NoSuchInput: Error, CustomStringConvertible {
  let error: PCMError
  let known: [String]

  var description: String {
    error.line { _ in known.isEmpty ? "no sound card has an input" : "inputs are \(known.joined(separator: ", "))" }
  }
}
