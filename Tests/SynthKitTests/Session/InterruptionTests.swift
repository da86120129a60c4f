import AudioGraph
import Foundation
import Synchronization
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@testable import SynthALSA
@testable import SynthKit

private func route(_ device: String, on hardware: String? = nil) -> Route {
  let parameters = PCMParameters(
    device: device, format: .float32, sampleRate: 48000, askedSampleRate: nil, channelCount: 2, period: 256,
    buffer: 768,
    channelNames: [])
  return Route(parameters: parameters, hardware: hardware ?? device)
}

private func gone(_ lost: Route, deviceCount: Int = 0) -> RouteChange {
  RouteChange(.deviceGone, from: lost, to: nil, deviceCount: deviceCount)
}

private func back(_ route: Route) -> RouteChange {
  RouteChange(.deviceAvailable, from: nil, to: route, deviceCount: 1)
}

private let card = route("hw:CARD=A,DEV=0")
private let speakers = route("default", on: "PCH,0")
private let headset = route("default", on: "USB,0")

@Suite("A song that is interrupted")
struct InterruptionRuleTests {
  /// A session's side of the matter, without a session.
  private final class Song: Sendable {
    let queue = SessionEventQueue()
    private let held = Atomic(false)
    private let canHold: Bool
    private let policy: InterruptionPolicy
    var isHeld: Bool { held.load(ordering: .relaxed) }

    init(_ policy: InterruptionPolicy = .pause, canHold: Bool = true) {
      (self.policy, self.canHold) = (policy, canHold)
    }

    func interruptions() -> SessionInterruptions {
      SessionInterruptions(policy, queue) { [self] in
        canHold && !isHeld
      } hold: { [self] isHeld, _ in
        held.store(isHeld, ordering: .relaxed)
      }
    }

    /// What was told of interruptions, routes left out.
    var told: [SessionEvent] { queue.take().filter { if case .routeChanged = $0 { false } else { true } } }
  }

  private static let second: UInt64 = 1_000_000_000

  @Test(
    "waits, and goes on where a person expects it",
    arguments: [
      (card, card, 59, true), (card, card, 61, false),
      // The fallback that was asked for, and from there.
      (card, route("hw:CARD=B,DEV=0"), 0, true), (route("hw:CARD=B,DEV=0"), card, 5, true),
      // What was played to one person is not played to all.
      (headset, headset, 5, true), (headset, speakers, 5, false),
    ])
  func returns(lost: Route, found: Route, seconds: UInt64, resumes: Bool) {
    let song = Song()
    let interruptions = song.interruptions()
    interruptions.take(gone(lost), at: Self.second)
    #expect(song.isHeld && interruptions.isHolding)
    interruptions.take(back(found), at: Self.second * (1 + seconds))
    #expect(song.isHeld == !resumes && interruptions.isHolding == !resumes)
    #expect(song.told == [.interruptionBegan(.deviceGone), .interruptionEnded(resumes: resumes)])
    interruptions.resume()
    #expect(!song.isHeld && !interruptions.isHolding)
  }

  @Test("stays paused when headphones that were pulled are plugged in again")
  func headphones() {
    let song = Song()
    let interruptions = song.interruptions()
    interruptions.take(RouteChange(.unplugged, from: card, to: card, deviceCount: 1), at: 0)
    #expect(song.isHeld)
    interruptions.take(RouteChange(.pluggedIn, from: card, to: card, deviceCount: 1), at: Self.second)
    #expect(song.isHeld)
    #expect(song.told == [.interruptionBegan(.unplugged), .interruptionEnded(resumes: false)])
    interruptions.resume()
    #expect(!song.isHeld)
    // The next time is like the first.
    interruptions.take(RouteChange(.unplugged, from: card, to: card, deviceCount: 1), at: 2 * Self.second)
    #expect(song.isHeld)
  }

  @Test("stays paused if a person pauses it meanwhile, and goes on anywhere if a person lets it go on")
  func person() {
    for wantsToHear in [false, true] {
      let song = Song()
      let interruptions = song.interruptions()
      interruptions.take(gone(headset), at: 0)
      if wantsToHear { interruptions.resume() } else { #expect(interruptions.pause()) }
      #expect(song.isHeld, "there is no device yet")
      interruptions.take(back(wantsToHear ? speakers : headset), at: Self.second)
      #expect(song.isHeld == !wantsToHear)
    }
  }

  @Test("plays on by the policy keep, while another device of several sounds, and after a suspension")
  func keeps() {
    let kept = Song(.keep)
    let interruptions = kept.interruptions()
    interruptions.take(gone(card), at: 0)
    #expect(!kept.isHeld && kept.told == [.interruptionBegan(.deviceGone)])
    interruptions.resume()
    #expect(!kept.isHeld)

    let several = Song()
    several.interruptions().take(gone(card, deviceCount: 1), at: 0)
    #expect(!several.isHeld && several.told.isEmpty)

    let woken = Song()
    woken.interruptions().take(RouteChange(.woken, from: card, to: card, deviceCount: 1), at: 0)
    #expect(!woken.isHeld && woken.told == [.interruptionBegan(.woken), .interruptionEnded(resumes: true)])
  }

  @Test("is not let go on if a person had paused it before")
  func pausedBefore() {
    let song = Song(canHold: false)
    let interruptions = song.interruptions()
    interruptions.take(gone(card), at: 0)
    #expect(!interruptions.isHolding && !interruptions.pause())
    interruptions.take(back(card), at: Self.second)
    #expect(song.told == [.interruptionBegan(.deviceGone), .interruptionEnded(resumes: true)])
  }
}

@Suite("A session whose device goes", .timeLimit(.minutes(5)))
struct InterruptionTests {
  /// A unit whose routes a test changes.
  private final class RoutedRecording: RoutedOutput {
    let recording = Recording()
    let news = Broadcast<RouteChange>()
    private let unit: PacedOutput

    init() { unit = recording.paced() }

    var routeChanges: AsyncStream<RouteChange> { news.stream() }
    func observeRoutes(_ tell: @escaping @Sendable (RouteChange) -> Void) -> Broadcast<RouteChange>.Listener {
      news.listen(tell)
    }
    var name: String { unit.name }
    var sampleRate: Double { unit.sampleRate }
    var channelCount: Int { unit.channelCount }
    var latency: OutputLatency { unit.latency }
    var isRunning: Bool { unit.isRunning }
    func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
      try unit.start(callback, context: context)
    }
    func stop() { unit.stop() }
  }

  private let output = RoutedRecording()
  private let synthesizer: Synthesizer

  init() throws {
    synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: nil, chorus: nil))
  }

  /// An organ's note of a minute.
  private func organ() throws -> Song { try song([0, 0xC0, 19], strike(48, ticks: 57_600)) }

  /// Whether what is recorded from now on is silent.
  private func isSilent() -> Bool {
    let start = output.recording.left.count
    return eventually { output.recording.left.count > start + 4800 }
      && output.recording.left[start...].allSatisfy { $0 == 0 }
  }

  @Test("holds its song in the midst of a note, and goes on with the note when the device is back")
  func holds() throws {
    let session = Session(synthesizer, output: output)
    try session.play(try organ())
    #expect(output.recording.sounds())
    output.news.send(gone(card))
    #expect(eventually { session.isSongPaused })
    #expect(eventually { isSilent() })
    let position = session.position
    #expect(isSilent() && session.position == position && session.isPlaying && !session.isPaused)
    output.news.send(back(card))
    #expect(eventually { !session.isSongPaused })
    #expect(output.recording.sounds() && session.position > position)
    try session.stop()
    #expect(session.takeEvents().contains(.interruptionEnded(resumes: true)))
  }

  @Test("pauses its song when headphones are pulled, and goes on when it is asked to")
  func headphones() throws {
    let session = Session(synthesizer, output: output)
    try session.play(try organ())
    #expect(output.recording.sounds())
    output.news.send(RouteChange(.unplugged, from: card, to: card, deviceCount: 1))
    #expect(eventually { session.mediaState.status == .paused })
    #expect(eventually { isSilent() })
    output.news.send(RouteChange(.pluggedIn, from: card, to: card, deviceCount: 1))
    #expect(eventually { session.takeEvents().contains(.interruptionEnded(resumes: false)) })
    #expect(isSilent())
    try session.resumeSong()
    #expect(output.recording.sounds() && !session.isSongPaused)
    try session.stop()
  }

  @Test("holds its song alone while a keyboard plays on")
  func live() throws {
    let keyboard = VirtualSource("keyboard")
    let session = Session(synthesizer, output: output, sources: [keyboard])
    try session.play(try organ())
    #expect(output.recording.sounds())
    output.news.send(RouteChange(.unplugged, from: card, to: card, deviceCount: 1))
    #expect(eventually { session.isSongHeld })
    #expect(eventually { isSilent() })
    keyboard.send(.programChange(channel: 3, program: 19))
    keyboard.send(.noteOn(channel: 3, note: 60, velocity7: 100))
    #expect(output.recording.sounds() && session.isSongPaused)
    try session.stop()
  }

  @Test("plays the next song when there is a device, and knows nothing of it on another output")
  func next() throws {
    let session = Session(synthesizer, output: output)
    try session.play(try organ())
    output.news.send(gone(card))
    #expect(eventually { session.isSongPaused })
    try session.fadeOut()
    #expect(!session.isSongPaused && session.mediaState.status == .stopped)
    try session.play(try organ())
    #expect(session.isSongPaused)
    #expect(eventually { isSilent() })
    output.news.send(back(card))
    #expect(output.recording.sounds())

    output.news.send(gone(card))
    #expect(eventually { session.isSongPaused })
    let other = Recording()
    try session.move(to: other.paced())
    #expect(!session.isSongPaused && other.sounds())
    try session.stop()
  }
}
