import CSynthALSA
import CSynthSystemBus
import Glibc
import Synchronization
import SynthRealtime

/// A card that this program has agreed with others of the desktop to have for itself, until it is released: sound
/// servers give it away, and a more important program, such as JACK, is given it. The device is opened after the
/// request and closed before the release. [control thread]
///
/// Source: A simple device reservation protocol for D-Bus, org.freedesktop.ReserveDevice1.
final class DeviceReservation: Sendable {
  /// Above PulseAudio's 0 and WirePlumber's -20, below JACK's, which is the highest.
  static let usualPriority: Int32 = 10

  enum Outcome {
    case held(DeviceReservation)
    /// Another program has the card and keeps it.
    case refused
    /// There is no bus to agree on, or no libsystemd to reach it with.
    case unneeded
  }

  private let connection: ReservationConnection
  private let thread: WorkerThread

  /// The cards that this process holds: a second output on one of them needs no other reservation.
  private static let own = CheckedMutex<Set<Int32>>([])
  private let card: Int32

  private init?(_ connection: ReservationConnection, card: Int32) {
    let thread = try? WorkerThread(named: "reservation", stackSize: WorkerThread.smallStack) { connection.serve() }
    guard let thread else { return nil }
    (self.connection, self.thread, self.card) = (connection, thread, card)
    _ = Self.own.withLock { $0.insert(card) }
  }

  deinit {
    connection.end()
    thread.join()
    _ = Self.own.withLock { [card] in $0.remove(card) }
  }

  /// Asks for a card, and waits for the answer.
  ///
  /// - Parameters:
  ///   - device: what it is for, shown to people.
  ///   - address: of another bus than the session's.
  ///   - give: called when a more important program asks for the card: lets the device be closed, which `noteClosed`
  ///     tells; or returns false if it cannot be.
  static func request(
    card: Int32, device: String, priority: Int32 = usualPriority, address: String? = nil,
    give: @escaping @Sendable () -> Bool
  ) -> Outcome {
    guard let connection = ReservationConnection(card, device, priority, address, give: give) else { return .unneeded }
    guard connection.takeName() else { return .refused }
    return DeviceReservation(connection, card: card).map { .held($0) } ?? .unneeded
  }

  /// Whether this process holds a card.
  static func isOwn(_ card: Int32) -> Bool { own.withLock { $0.contains(card) } }

  /// Whether a request would be granted, as far as can be seen without asking: no program holds the card, or one that
  /// is less important.
  static func isAvailable(card: Int32, address: String? = nil) -> Bool {
    guard let connection = ReservationConnection(card, "", usualPriority, address, give: { false }) else { return true }
    return connection.ownersPriority.map { $0 < usualPriority } ?? true
  }

  /// What the program that holds a card calls itself; nil if no program does, or it does not tell.
  static func owner(ofCard card: Int32, address: String? = nil) -> String? {
    ReservationConnection(card, "", usualPriority, address, give: { false })?.ownersName
  }

  /// Tells that the device is closed, so that a program that waits for it can have it. [audio thread, control thread]
  func noteClosed() { connection.noteClosed() }
}

/// The bus, used by the requesting thread first and then by the reservation's own.
private final class ReservationConnection: @unchecked Sendable {
  // Unchecked: one thread at a time uses the bus; the rest is constant or atomic.

  private static let interface = "org.freedesktop.ReserveDevice1"
  /// In microseconds. A server needs a while to close a device.
  private static let patience: UInt64 = 3_000_000

  private var bus: OpaquePointer?
  private let name: String
  private let path: String
  private let priority: Int32
  private let give: @Sendable () -> Bool
  private let handlers: UnsafeMutablePointer<reservation_handlers>
  private let texts: [UnsafeMutablePointer<CChar>?]
  private let stopSignal = eventfd(0, Int32(EFD_CLOEXEC))
  private let closed = Semaphore()
  private let isClosed = Atomic(false)

  /// Nil without a bus.
  init?(
    _ card: Int32, _ device: String, _ priority: Int32, _ address: String?, give: @escaping @Sendable () -> Bool
  ) {
    name = "\(Self.interface).Audio\(card)"
    path = "/org/freedesktop/ReserveDevice1/Audio\(card)"
    (self.priority, self.give) = (priority, give)
    texts = [strdup(name), strdup(DeviceHolder(process: getpid()).name), strdup(device)]
    handlers = .allocate(capacity: 1)
    handlers.initialize(to: reservation_handlers())
    guard session_bus_open(&bus, address) >= 0, system_bus_wait_until_ready(bus) >= 0 else { return nil }
    sd_bus_set_method_call_timeout(bus, Self.patience)
    handlers.pointee = reservation_handlers(
      context: Unmanaged.passUnretained(self).toOpaque(),
      release: { context, priority in
        // The connection outlives its bus, which alone calls.
        Unmanaged<ReservationConnection>.fromOpaque(context!).takeUnretainedValue().release(to: priority) ? 1 : 0
      },
      priority: priority, name: texts[0], application: texts[1], device: texts[2])
  }

  deinit {
    // Flushing waits for a bus that has not answered yet.
    if let bus { _ = sd_bus_is_ready(bus) > 0 ? sd_bus_flush_close_unref(bus) : sd_bus_close_unref(bus) }
    handlers.deallocate()
    for text in texts { free(text) }
    close(stopSignal)
  }

  /// The priority of the program that holds the card; nil if no program does, or it does not tell.
  var ownersPriority: Int32? {
    var priority: Int32 = 0
    let code = sd_bus_get_property_trivial(
      bus, name, path, Self.interface, "Priority", nil, CChar(UInt8(ascii: "i")), &priority)
    return code < 0 ? nil : priority
  }

  /// The name that program gives itself.
  var ownersName: String? {
    var text: UnsafeMutablePointer<CChar>?
    let code = sd_bus_get_property_string(bus, name, path, Self.interface, "ApplicationName", nil, &text)
    guard code >= 0, let text else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Takes the card's name, from its owner if that gives it away.
  func takeName() -> Bool {
    guard reservation_serve(bus, path, handlers) >= 0 else { return false }
    let flags = UInt64(SD_BUS_NAME_ALLOW_REPLACEMENT)
    if sd_bus_request_name(bus, name, flags) >= 0 { return true }
    return reservation_ask(bus, name, path, priority) > 0
      && sd_bus_request_name(bus, name, flags | UInt64(SD_BUS_NAME_REPLACE_EXISTING)) >= 0
  }

  /// Answers others until `end`.
  func serve() {
    while true {
      var code: Int32
      repeat { code = sd_bus_process(bus, nil) } while code > 0
      guard code >= 0 else { return }
      sd_bus_flush(bus)
      var requests = [sd_bus_get_fd(bus), stopSignal].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&requests, 2, -1)
      if requests[1].revents != 0 { break }
    }
    sd_bus_release_name(bus, name)
  }

  func end() { eventfd_write(stopSignal, 1) }

  func noteClosed() {
    isClosed.store(true, ordering: .releasing)
    closed.signal()
  }

  private func release(to priority: Int32) -> Bool {
    guard priority > self.priority, give() else { return false }
    closed.wait(nanoseconds: Int64(Self.patience) * 1000)
    return isClosed.load(ordering: .acquiring)
  }
}
