import Synchronization
import Testing

@testable import SynthALSA

private func device(_ name: String, period: Int = 256) -> PlayingDevice {
  let parameters = PCMParameters(
    device: name, format: .float32, sampleRate: 48000, askedSampleRate: nil, channelCount: 2, period: period,
    buffer: 3 * period,
    channelNames: [])
  return PlayingDevice(
    parameters: parameters, streamParameters: parameters,
    identity: PCMIdentity(card: -1, device: 0, name: "server \(period)"))
}

@Suite("An output tells of its routes", .timeLimit(.minutes(5)))
struct RouteChangeTests {
  @Test("with what was heard before, what is heard now, and why")
  func reasons() {
    let news = RouteNews()
    let exchange = PCMExchange(news)
    let told = Mutex<[RouteChange]>([])
    let listener = news.changes.listen { change in told.withLock { $0.append(change) } }
    let (first, second, third) = (device("default"), device("default", period: 512), device("fallback"))
    exchange.arrive(first)
    exchange.arrive(second)
    exchange.depart()
    // Without a device there is nothing to lose.
    exchange.depart()
    exchange.arrive(third)
    exchange.arrive(first)
    exchange.prefer(PCMRequest(device: "fallback"))
    exchange.arrive(third)
    let expected = [
      RouteChange(.deviceAvailable, from: nil, to: first.route, deviceCount: 1),
      RouteChange(.defaultChanged, from: first.route, to: second.route, deviceCount: 1),
      RouteChange(.deviceGone, from: second.route, to: nil, deviceCount: 0),
      RouteChange(.deviceAvailable, from: nil, to: third.route, deviceCount: 1),
      RouteChange(.deviceAvailable, from: third.route, to: first.route, deviceCount: 1),
      RouteChange(.chosen, from: first.route, to: third.route, deviceCount: 1),
    ]
    withExtendedLifetime(listener) {}
    #expect(told.withLock { $0 } == expected)
    #expect(first.route.hardware == "server 256")
  }

  @Test("counts the devices of several outputs that are one")
  func several() {
    let news = RouteNews()
    let leader = PCMExchange(news)
    let follower = PCMExchange(news)
    let counts = Mutex<[Int]>([])
    let listener = news.changes.listen { change in counts.withLock { $0.append(change.deviceCount) } }
    leader.arrive(device("a"))
    follower.arrive(device("b"))
    leader.depart()
    follower.depart()
    #expect(counts.withLock { $0 } == [1, 2, 1, 0])
    withExtendedLifetime(listener) {}
  }

  @Test("to all who listen, until it is gone")
  func end() async throws {
    var output: PCMOutput? = try PCMOutput(PCMRequest(device: "null"))
    let streams = (0..<2).map { _ in output!.routeChanges }
    output!.exchange.pointee.depart()
    output = nil
    for stream in streams {
      var reasons: [RouteChange.Reason] = []
      for await change in stream { reasons.append(change.reason) }
      #expect(reasons == [.deviceGone])
    }
  }

  @Test(
    "and of jacks for headphones only",
    arguments: [
      ("Headphone Jack", true), ("Front Headphone Jack", true), ("Headset Jack", true), ("Headphone+LO Jack", true),
      ("Headset Mic Jack", false), ("Headphone Mic Jack", false), ("Headphone Phantom Jack", false),
      ("Line Out Jack", false), ("HDMI/DP,pcm=3 Jack", false), ("Headphone Jack Switch", false),
    ])
  func jacks(name: String, isForHeadphones: Bool) {
    #expect(JackWatch.isForHeadphones(name) == isForHeadphones)
  }
}
