import SynthMIDI
import SynthRealtime
import SynthText

/// One who controls a synthesizer from outside: a connection of a socket, a page, an OSC peer.
///
/// It asks in lines of JSON, and takes lines that are for it. Its memory is bounded: meters are replaced by newer ones,
/// changes that are too many give way to one fresh state, and for answers the client itself waits (`mayAsk`). One that
/// takes nothing for too long is dropped. All calls from any thread; `ask` by one at a time.
public final class SurfaceClient: Sendable {
  /// As many requests may be without an answer that has been taken.
  public static let requestLimit = 64
  /// As many changes and news may wait.
  static let changeLimit = 64

  /// As others see it: "page 3".
  public var name: String { port.name }
  /// What it may ask for.
  public let asker: Asker
  let port: MIDIPort
  private let desk: SurfaceDesk
  private let wake: @Sendable () -> Void
  private let outbox = CheckedMutex(Outbox())

  private struct Outbox {
    enum Kind { case greeting, answer, change }

    var lines: [(kind: Kind, text: String)] = []
    var meters: String?
    var requestCount = 0
    /// Whether changes were left out, and the whole state has to be told.
    var isBehind = false
    var isClosed = false
    var hasPlayed = false
    /// When a line was taken, or began to wait.
    var moved: UInt64 = 0
    var subscription = SurfaceSubscription()

    var isEmpty: Bool { lines.isEmpty && meters == nil }
  }

  init(
    _ name: String, as asker: Asker, number: UInt32, _ desk: SurfaceDesk, wake: @escaping @Sendable () -> Void
  ) {
    self.asker = asker
    port = MIDIPort(id: number, name: name)
    self.desk = desk
    self.wake = wake
    let greeting: [JSONValue.Field] = [
      ("synth", .string(desk.release)), ("protocol", .number(ControlSurface.version)),
    ]
    outbox.withLock { outbox in
      outbox.lines = [(.greeting, JSONValue.object(greeting).description)]
      outbox.moved = HostClock.now
    }
  }

  // MARK: - Asking

  /// Whether another request is taken; else take what waits first.
  public var mayAsk: Bool { outbox.withLock { $0.requestCount < Self.requestLimit } }

  /// Asks for something, by one line without its end; the answer follows.
  ///
  /// - Returns: false for what is no request at all, and for one more than `mayAsk` allows: the error is the answer,
  ///   and the connection had better be closed.
  @discardableResult
  public func ask(_ line: some Collection<UInt8>) -> Bool {
    let mayAsk = outbox.withLock { outbox in
      outbox.requestCount += 1
      return !outbox.isClosed && outbox.requestCount <= Self.requestLimit
    }
    guard mayAsk else {
      refuse(.tooManyRequests, id: nil)
      return false
    }
    var id: JSONValue?
    do throws(SurfaceError) {
      let fields = try SurfaceRequest.fields(Array(line))
      id = try SurfaceRequest.id(of: fields)
      if let bytes = try SurfaceRequest.midi(fields) {
        try play(bytes)
        if let id {
          answer(.object([("id", id), ("answer", .string("played"))]))
        } else {
          outbox.withLock { $0.requestCount -= 1 }
        }
      } else {
        let request = try SurfaceRequest(fields, id: id)
        if !perform(request) { desk.add(request, of: self) }
      }
      return true
    } catch {
      refuse(error, id: id)
      return error.isRequest
    }
  }

  /// Sets or reads parameters at once: they are atomic, and their owner need not be waited for.
  ///
  /// - Returns: false for what is the owner's, and for what follows a request that the owner has not answered yet.
  private func perform(_ request: SurfaceRequest) -> Bool {
    let isFirst = outbox.withLock { $0.requestCount - $0.lines.count { $0.kind == .answer } == 1 }
    guard isFirst else { return false }
    let (nodes, text): ([ControlNode], String?)
    let tree = ControlTree(parametersOf: desk.synthesizer)
    switch request.content {
    case .set(let place, let value): (nodes, text) = (tree.parameters(at: place), value)
    case .get(let place): (nodes, text) = (tree.parameters(at: place), nil)
    default: return false
    }
    guard !nodes.isEmpty else { return false }
    let answer: JSONValue.Field
    do throws(SynthesizerCommandError) {
      if let text { try nodes.set(text, as: asker) }
      answer = ("parameters", .array(nodes.map(\.json)))
    } catch {
      answer = ("error", .string("\(error)"))
    }
    self.answer(.object((request.id.map { [("id", $0)] } ?? []) + [answer]))
    return true
  }

  private func refuse(_ error: SurfaceError, id: JSONValue?) {
    answer(.object((id.map { [("id", $0)] } ?? []) + [("error", .string("\(error)"))]))
  }

  private func play(_ bytes: [UInt8]) throws(SurfaceError) {
    var reader = MIDIByteReader()
    var contents: [MIDISourceEvent.Content] = []
    reader.read(bytes) { if !$0.isClock { contents.append($0) } }
    guard !contents.isEmpty else { throw .badMIDI }
    outbox.withLock { $0.hasPlayed = true }
    for content in contents { desk.keys.deliver(.received(content, from: port, hostTime: 0)) }
  }

  // MARK: - Taking

  /// The next line for the client, without its end; nil for none.
  public func take() -> String? {
    outbox.withLock { outbox in
      guard !outbox.isEmpty else { return nil }
      outbox.moved = HostClock.now
      guard !outbox.lines.isEmpty else {
        defer { outbox.meters = nil }
        return outbox.meters
      }
      let line = outbox.lines.removeFirst()
      if line.kind == .answer { outbox.requestCount = max(0, outbox.requestCount - 1) }
      // The owner tells the state once all has been read.
      if outbox.isBehind, outbox.lines.isEmpty { desk.wakeOwner() }
      return line.text
    }
  }

  /// Whether nothing more will come without being asked for.
  public var isDone: Bool {
    outbox.withLock { outbox in
      let subscription = outbox.subscription
      let isSubscribed = subscription.isToState || subscription.meterRate > 0 || !subscription.paths.isEmpty
      return outbox.isEmpty && outbox.requestCount == 0 && !isSubscribed
    }
  }

  /// Whether the client has been dropped, or closed: nothing more is for it.
  public var isClosed: Bool { outbox.withLock { $0.isClosed } }

  /// Ends it, and releases the keys that it holds.
  public func close() {
    let (isNew, hasPlayed) = outbox.withLock { outbox in
      defer { (outbox.isClosed, outbox.lines, outbox.meters) = (true, [], nil) }
      return (!outbox.isClosed, outbox.hasPlayed)
    }
    guard isNew else { return }
    desk.remove(self)
    desk.letGo(port, hasPlayed: hasPlayed)
    wake()
  }
}

// MARK: - The surface's side

extension SurfaceClient {
  var subscription: SurfaceSubscription {
    get { outbox.withLock { $0.subscription } }
    set { outbox.withLock { $0.subscription = newValue } }
  }

  func answer(_ value: JSONValue) {
    let line = asker.shown(value).description
    add { $0.lines.append((.answer, line)) }
  }

  /// A change or news; left out where too many wait, and while others were.
  func tell(_ value: JSONValue) {
    let line = asker.shown(value).description
    add { outbox in
      guard !outbox.isBehind else { return }
      if outbox.lines.count(where: { $0.kind == .change }) < Self.changeLimit {
        outbox.lines.append((.change, line))
      } else {
        outbox.lines.removeAll { $0.kind == .change }
        outbox.isBehind = true
      }
    }
  }

  func show(meters line: String) { add { $0.meters = line } }

  private func add(_ change: (inout Outbox) -> Void) {
    let isFirst = outbox.withLock { outbox in
      guard !outbox.isClosed else { return false }
      let wasEmpty = outbox.isEmpty
      change(&outbox)
      if wasEmpty { outbox.moved = HostClock.now }
      return wasEmpty && !outbox.isEmpty
    }
    // Who takes lines takes all.
    if isFirst { wake() }
  }

  /// Whether changes were left out, and all that waited has been taken; true once.
  func takeIsBehind() -> Bool {
    outbox.withLock { outbox in
      guard outbox.isBehind, outbox.lines.isEmpty else { return false }
      outbox.isBehind = false
      return true
    }
  }

  func closeIfStuck() {
    let now = HostClock.now
    if outbox.withLock({ !$0.isEmpty && now > $0.moved + desk.patience }) { close() }
  }
}
