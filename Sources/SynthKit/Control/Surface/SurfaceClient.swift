import SynthMIDI
import SynthRealtime

/// One who controls a synthesizer from outside: a connection of a socket, a page, an OSC peer.
///
/// It asks for something, and takes the news that are for it. Its memory is bounded: meters are replaced by newer ones,
/// changes that are too many give way to one fresh state, and for answers the client itself waits (`mayAsk`). One that
/// takes nothing for too long is dropped. All calls from any thread; `ask` by one at a time.
public final class SurfaceClient: Sendable {
  /// As many requests may be without an answer that has been taken.
  public static let requestLimit = 64
  /// As many changes may wait.
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
    var news: [SurfaceNews] = []
    var meters: SurfaceMeters?
    var requestCount = 0
    /// Whether changes were left out, and the whole state has to be told.
    var isBehind = false
    var isClosed = false
    var hasPlayed = false
    /// When news were taken, or began to wait.
    var moved: UInt64 = 0
    var subscription = SurfaceSubscription()

    var isEmpty: Bool { news.isEmpty && meters == nil }
  }

  init(
    _ name: String, as asker: Asker, number: UInt32, _ desk: SurfaceDesk, wake: @escaping @Sendable () -> Void
  ) {
    self.asker = asker
    port = MIDIPort(id: number, name: name)
    self.desk = desk
    self.wake = wake
    outbox.withLock { outbox in
      outbox.news = [.greeting(release: desk.release)]
      outbox.moved = HostClock.now
    }
  }

  // MARK: - Asking

  /// Whether another request is taken; else take what waits first.
  public var mayAsk: Bool { outbox.withLock { $0.requestCount < Self.requestLimit } }

  /// Asks for something; the answer follows.
  ///
  /// - Parameter id: what the answer repeats.
  /// - Returns: false for one more than `mayAsk` allows: the error is the answer, and the connection had better be
  ///   closed.
  @discardableResult
  public func ask(_ request: SurfaceRequest, id: SurfaceRequest.ID? = nil) -> Bool {
    let mayAsk = outbox.withLock { outbox in
      outbox.requestCount += 1
      return !outbox.isClosed && outbox.requestCount <= Self.requestLimit
    }
    guard mayAsk else {
      answer(.refusal("\(SurfaceError.tooManyRequests)"), id: nil)
      return false
    }
    if case .play(let bytes) = request {
      play(bytes, id: id)
    } else if !perform(request, id: id) {
      desk.add(.init(client: self, request: request, id: id))
    }
    return true
  }

  /// Answers what could not be read as a request; it counts as one.
  package func refuse(_ problem: String, id: SurfaceRequest.ID?) {
    outbox.withLock { $0.requestCount += 1 }
    answer(.refusal(problem), id: id)
  }

  /// Sets or reads parameters at once: they are atomic, and their owner need not be waited for.
  ///
  /// - Returns: false for what is the owner's, and for what follows a request that the owner has not answered yet.
  private func perform(_ request: SurfaceRequest, id: SurfaceRequest.ID?) -> Bool {
    let isFirst = outbox.withLock { $0.requestCount - $0.news.count(where: \.isAnswer) == 1 }
    guard isFirst else { return false }
    let (nodes, text): ([ControlNode], String?)
    let tree = ControlTree(parametersOf: desk.synthesizer)
    switch request {
    case .set(let place, let value): (nodes, text) = (tree.parameters(at: place), value)
    case .get(let place): (nodes, text) = (tree.parameters(at: place), nil)
    default: return false
    }
    guard !nodes.isEmpty else { return false }
    do throws(SynthesizerCommandError) {
      if let text { try nodes.set(text, as: asker) }
      answer(.nodes(nodes.map(\.shown)), id: id)
    } catch {
      answer(.refusal("\(error)"), id: id)
    }
    return true
  }

  private func play(_ bytes: [UInt8], id: SurfaceRequest.ID?) {
    var reader = MIDIByteReader()
    var contents: [MIDISourceEvent.Content] = []
    reader.read(bytes) { if !$0.isClock { contents.append($0) } }
    guard !contents.isEmpty else { return answer(.refusal("\(SurfaceError.badMIDI)"), id: id) }
    outbox.withLock { $0.hasPlayed = true }
    for content in contents { desk.keys.deliver(.received(content, from: port, hostTime: 0)) }
    if let id { answer(.text("played"), id: id) } else { outbox.withLock { $0.requestCount -= 1 } }
  }

  // MARK: - Taking

  /// What comes next for the client; nil for nothing.
  public func take() -> SurfaceNews? {
    outbox.withLock { outbox in
      guard !outbox.isEmpty else { return nil }
      outbox.moved = HostClock.now
      guard !outbox.news.isEmpty else {
        defer { outbox.meters = nil }
        return outbox.meters.map { .meters($0) }
      }
      let news = outbox.news.removeFirst()
      if news.isAnswer { outbox.requestCount = max(0, outbox.requestCount - 1) }
      // The owner tells the state once all has been read.
      if outbox.isBehind, outbox.news.isEmpty { desk.wakeOwner() }
      return news
    }
  }

  /// Whether nothing more will come without being asked for.
  public var isDone: Bool {
    outbox.withLock { outbox in
      outbox.isEmpty && outbox.requestCount == 0 && outbox.subscription.isEmpty
    }
  }

  /// Whether the client has been dropped, or closed: nothing more is for it.
  public var isClosed: Bool { outbox.withLock { $0.isClosed } }

  /// Ends it, and releases the keys that it holds.
  public func close() {
    let (isNew, hasPlayed) = outbox.withLock { outbox in
      defer { (outbox.isClosed, outbox.news, outbox.meters) = (true, [], nil) }
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

  func answer(_ answer: SurfaceAnswer, id: SurfaceRequest.ID?) {
    add { $0.news.append(.answer(answer, id: id)) }
  }

  /// A change or an entry of the log; left out where too many wait, and while others were.
  func tell(_ news: SurfaceNews) {
    add { outbox in
      guard !outbox.isBehind else { return }
      if outbox.news.count(where: \.isChange) < Self.changeLimit {
        outbox.news.append(news)
      } else {
        outbox.news.removeAll(where: \.isChange)
        outbox.isBehind = true
      }
    }
  }

  func show(_ meters: SurfaceMeters) { add { $0.meters = meters } }

  private func add(_ change: (inout Outbox) -> Void) {
    let isFirst = outbox.withLock { outbox in
      guard !outbox.isClosed else { return false }
      let wasEmpty = outbox.isEmpty
      change(&outbox)
      if wasEmpty { outbox.moved = HostClock.now }
      return wasEmpty && !outbox.isEmpty
    }
    // Who takes news takes all.
    if isFirst { wake() }
  }

  /// Whether changes were left out, and all that waited has been taken; true once.
  func takeIsBehind() -> Bool {
    outbox.withLock { outbox in
      guard outbox.isBehind, outbox.news.isEmpty else { return false }
      outbox.isBehind = false
      return true
    }
  }

  func closeIfStuck() {
    let now = HostClock.now
    if outbox.withLock({ !$0.isEmpty && now > $0.moved + desk.patience }) { close() }
  }
}
