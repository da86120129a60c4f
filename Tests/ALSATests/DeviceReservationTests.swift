import Glibc
import Synchronization
import SynthRealtime
import TestSupport
import Testing

@testable import SynthALSA

/// A program that wants a card. Every one has a connection to the bus for itself, as separate programs have.
private final class Peer: Sendable {
  private let priority: Int32
  private let gives: Bool
  private let held = Mutex<DeviceReservation?>(nil)
  private let requests = Atomic(0)

  init(priority: Int32 = DeviceReservation.usualPriority, gives: Bool = true) {
    (self.priority, self.gives) = (priority, gives)
  }

  /// How often somebody more important has asked.
  var requestCount: Int { requests.load(ordering: .relaxed) }

  /// Whether it has the card now.
  func take(on bus: SessionBus) -> Bool {
    let outcome = DeviceReservation.request(
      card: 90, device: "hw:90", priority: priority, address: bus.address
    ) { [weak self] in self?.close() ?? false }
    guard case .held(let reservation) = outcome else { return false }
    held.withLock { $0 = reservation }
    return true
  }

  func release() { held.withLock { $0 = nil } }

  private func close() -> Bool {
    requests.add(1, ordering: .relaxed)
    if gives { held.withLock { $0 }?.noteClosed() }
    return gives
  }
}

@Suite("A card is reserved on the session's bus", .timeLimit(.minutes(5)))
struct DeviceReservationTests {
  private let bus: SessionBus

  init() throws { bus = try SessionBus() }

  private func isAvailable() -> Bool { DeviceReservation.isAvailable(card: 90, address: bus.address) }

  @Test("by one of two programs of the same rank, until it is released")
  func equals() {
    let (first, second) = (Peer(), Peer())
    #expect(isAvailable() && first.take(on: bus))
    #expect(!second.take(on: bus) && !isAvailable() && first.requestCount == 0)
    first.release()
    #expect(isAvailable() && second.take(on: bus))
  }

  @Test("and taken from sound servers, which close it first", arguments: [0, -20] as [Int32])
  func servers(priority: Int32) {
    let (server, program) = (Peer(priority: priority), Peer())
    #expect(server.take(on: bus) && isAvailable())
    #expect(program.take(on: bus) && server.requestCount == 1)
    #expect(!server.take(on: bus))
    program.release()
    #expect(server.take(on: bus))
  }

  @Test("and given to a more important program, unless the device cannot be closed")
  func given() {
    let (program, jack) = (Peer(), Peer(priority: .max))
    #expect(program.take(on: bus) && jack.take(on: bus) && program.requestCount == 1)
    program.release()
    #expect(!program.take(on: bus) && !isAvailable())
    jack.release()
    let obstinate = Peer(gives: false)
    #expect(obstinate.take(on: bus) && !jack.take(on: bus) && obstinate.requestCount == 1)
  }

  @Test("as other programs see it: with a priority, names, and an answer to each request")
  func foreign() throws {
    let program = Peer()
    #expect(program.take(on: bus))
    let (name, path) = ("org.freedesktop.ReserveDevice1.Audio90", "/org/freedesktop/ReserveDevice1/Audio90")
    func call(_ method: String, _ arguments: String...) throws -> String {
      var words = ["--session", "--print-reply=literal", "--dest=\(name)", path, method] + arguments
      words.insert("--reply-timeout=5000", at: 1)
      return try bus.run("dbus-send", words) {}
    }
    func property(_ property: String) throws -> String {
      try call(
        "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.ReserveDevice1", "string:\(property)")
    }
    #expect(try property("Priority").contains("int32 10"))
    #expect(try property("ApplicationDeviceName").contains("hw:90"))
    #expect(try !property("ApplicationName").isEmpty)
    let request = "org.freedesktop.ReserveDevice1.RequestRelease"
    #expect(try call(request, "int32:10").contains("boolean false") && program.requestCount == 0)
    #expect(try call(request, "int32:11").contains("boolean true") && program.requestCount == 1)
    // The name is free then, although the program still has its reservation.
    let next = Peer()
    #expect(eventually { isAvailable() && next.take(on: bus) })
  }

  @Test("or needs no reservation where there is no bus")
  func absent() {
    let outcome = DeviceReservation.request(
      card: 90, device: "hw:90", address: "unix:path=/nonexistent"
    ) { false }
    guard case .unneeded = outcome else { return #expect(Bool(false), "there is a bus") }
    bus.stop()
    #expect(isAvailable())
  }
}

extension DeviceReservationTests {
  @Test("or needs no reservation where the bus does not answer")
  func silent() throws {
    let path = "/tmp/silent-bus-\(UInt32.random(in: 0...(.max)))"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(code == 0 && listen(listener, 8) == 0)
    #expect(DeviceReservation.isAvailable(card: 90, address: "unix:path=\(path)"))
  }
}

/// In nanoseconds.
private func seconds(_ count: UInt64) -> UInt64 { count * 1_000_000_000 }

@Test("A device that another program was given is left alone for a moment")
func leavesWhatWasTaken() {
  var ranking = DeviceRanking(count: 2, present: 0, at: 0)
  ranking.noteTaking(at: seconds(1))
  #expect(ranking.candidates(at: seconds(1)) == [1])
  ranking.play(on: 1, at: seconds(1))
  #expect(ranking.better(at: seconds(3)).isEmpty)
  #expect(ranking.better(at: seconds(4)) == [0])
  #expect(ranking.candidates(at: seconds(4)) == [0, 1])
}
