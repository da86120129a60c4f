import AudioGraph
import SynthRealtime

/// Everything that people and programs see and turn while a session plays: commands in words, the state of all,
/// changes, meters, news. Console, socket, OSC and web page stand on it.
///
///     let surface = ControlSurface(SynthesizerControl(synthesizer, session: session), monitor: monitor)
///     let client = try surface.connect(named: "page", as: .page) { wakeTheServer() }
///     client.ask(.command("preset pop"))
///     let loop = ControlLoop()
///     loop.add(surface)
///     try loop.run { session.isPlaying }
///     while let news = client.take() { send(news) }
///
/// Commands of all clients are performed in `turn`, in the order in which they came, by the thread that owns the
/// surface. Clients live on other threads. Neither waits for the other, and the audio thread for none of them.
/// `SynthRemote` carries requests and news as the lines of JSON that `docs/control.md` describes.
public final class ControlSurface: @unchecked Sendable {
  // Unchecked: what performs commands and remembers what was told belongs to the owner's thread.

  /// The version of the protocol.
  public static let version = 1

  /// What performs commands. [control thread]
  public private(set) var control: SynthesizerControl
  /// What a program adds: commands and songs. [control thread]
  public weak var host: (any SurfaceHost)?
  let desk: SurfaceDesk
  let session: Session
  private var state: SurfaceState
  private var log = SurfaceLog()
  /// What was told last to those who subscribe to the state; nil where no client does.
  private var told: [SurfaceSection]?
  /// What clients were told last of the parameters they asked for.
  private var toldValues: [UInt32: [String: PropertyValue]] = [:]
  private let meters: MeterFeed

  /// - Parameters:
  ///   - control: of the session that plays. From now on commands are given to the surface.
  ///   - monitor: one of the session's `copies`, for what keyboards play.
  ///   - release: of the program, as the greeting tells it.
  ///   - patience: how long a client may leave lines waiting before it is dropped, in seconds, 0 to 10⁹, to which it is
  ///     clamped.
  public init(
    _ control: SynthesizerControl, session: Session, monitor: MIDIMonitor? = nil, release: String = "",
    patience: Double = 10
  ) {
    self.control = control
    self.session = session
    desk = SurfaceDesk(
      control.synthesizer, keys: session.keys, release: release, patience: HostClock.nanoseconds(patience))
    state = SurfaceState(session)
    meters = MeterFeed(session, monitor, desk)
    session.controls.wake = { [desk] in desk.wakeOwner() }
  }

  deinit {
    meters.stop()
    for client in desk.clients { client.close() }
  }

  /// Joins a client. [any thread]
  ///
  /// - Parameters:
  ///   - name: as it is shown beside what it plays: "page 3".
  ///   - asker: what it may ask for.
  ///   - wake: called on any thread when there are news to take or the client has been dropped; returns at once.
  /// - Throws: where 256 clients are connected.
  public func connect(
    named name: String, as asker: Asker, wake: @escaping @Sendable () -> Void
  ) throws(SurfaceError) -> SurfaceClient {
    try desk.connect(named: name, as: asker, wake: wake)
  }

  // MARK: - The owner's loop

  /// Readable, for `poll`, when a client has asked for something. (eventfd)
  public var wakeDescriptor: Int32 { desk.wakeDescriptor }

  /// Performs what clients have asked for since the last call, and tells them what has changed. To be called some 20
  /// times a second, and when `wakeDescriptor` is readable, as a `ControlLoop` does. [control thread]
  public func turn() {
    desk.quiet()
    // What comes meanwhile is for the next turn.
    var requests = desk.takeRequests()[...]
    while host?.hasWish != true, let asked = requests.popFirst() {
      if !asked.client.isClosed { answer(asked) }
    }
    desk.putBack(requests)
    performControls()
    meters.follow()
    tellChanges()
    for client in desk.clients { client.closeIfStuck() }
  }

  /// Performs what keyboards have asked for by controllers and program changes.
  private func performControls() {
    guard host?.hasWish != true else { return }
    func tell(_ text: String, isError: Bool = false) {
      note(text, isError: isError)
      host?.tell(text, isError: isError)
    }
    do {
      let (commands, news) = try control.takeControls()
      for line in news { tell(line) }
      for (command, asker) in commands {
        do { tell(try perform(command, as: asker)) } catch { tell(line(error), isError: true) }
      }
    } catch {
      tell(line(error), isError: true)
    }
  }

  /// Performs a command as it is typed, by the owner or by who may do less. [control thread]
  ///
  /// - Returns: the answer in lines, as a person reads it.
  /// - Throws: why not; `line(_:)` has it in words.
  public func perform(_ line: String, as asker: Asker) throws -> String {
    try control.authorize(line, as: asker)
    if let answer = try host?.perform(line) { return answer }
    return try control.perform(line, as: asker).text
  }

  /// Performs a command as the owner types it. [control thread]
  public func perform(_ line: String) throws -> String { try perform(line, as: .owner) }

  /// Performs a command of the owner's. [control thread]
  public func perform(_ command: SynthesizerCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    try control.perform(command)
  }

  /// An error in a line, with the program's remedies.
  public func line(_ error: any Error) -> String { host?.line(error) ?? "\(error)" }

  /// Adds something worth knowing to the log that clients see. [control thread]
  public func note(_ text: String, isError: Bool = false) {
    let entry = log.add(text, isError: isError, at: desk.time)
    for client in desk.clients where client.subscription.isToState { client.tell(.entry(entry)) }
  }

  /// Everything that clients see. [control thread]
  public var present: [SurfaceSection] { state.sections(self, isWhole: true) + [.log(log.entries)] }
}

// MARK: - What clients ask for

extension ControlSurface {
  private func answer(_ asked: SurfaceDesk.Asked) {
    let client = asked.client
    do {
      client.answer(try answer(asked.request, of: client), id: asked.id)
    } catch {
      client.answer(.refusal(line(error)), id: asked.id)
    }
    switch asked.request {
    case .subscribe: tellAll(to: client)
    case .watch:
      toldValues[client.port.id] = nil
      tellNodes(to: client)
    default: break
    }
  }

  private func answer(_ request: SurfaceRequest, of client: SurfaceClient) throws -> SurfaceAnswer {
    switch request {
    case .command(let line): return .text(try perform(line, as: client.asker))
    case .nodes: return .names(control.nodes.nodes)
    case .node(let name): return .nodes(try control.nodes.nodes(of: name).map(\.shown))
    case .list(let path): return .list(control.tree.nodes(below: path).map(\.shown))
    case .get(let place): return .nodes(try control.tree.nodes(at: place).map(\.shown))
    case .set(let place, let text):
      let nodes = try control.nodes(toSetAt: place)
      try nodes.set(text, as: client.asker)
      return .nodes(nodes.map(\.shown))
    case .watch(let paths):
      try check(paths)
      client.subscription.paths = paths
      return .text("watching")
    case .state: return .state(present)
    case .subscribe(let subscription):
      try check(subscription.paths)
      client.subscription = subscription
      return .text("subscribed")
    // The client plays itself.
    case .play: return .text("played")
    }
  }
}

extension ControlSurface {
  /// Finds out whether what a client wants to be told of is there, and is not too much for every turn.
  private func check(_ paths: [SurfacePath]) throws(SynthesizerCommandError) {
    var count = 0
    for path in paths { count += try control.tree.nodes(at: path).count }
    guard count <= SurfaceSubscription.nodeLimit else {
      throw .refused("watching: \(count) nodes are meant; give paths of at most \(SurfaceSubscription.nodeLimit)")
    }
  }
}

// MARK: - What clients are told

extension ControlSurface {
  private func tellChanges() {
    let clients = desk.clients
    toldValues = toldValues.filter { entry in clients.contains { $0.port.id == entry.key } }
    guard clients.contains(where: { $0.subscription.isToState || !$0.subscription.paths.isEmpty }) else {
      return told = nil
    }
    let sections = state.sections(self, isWhole: false)
    let changes = told.map { SurfaceState.changes(from: $0, to: sections) } ?? []
    told = sections
    for client in clients {
      if client.takeIsBehind() {
        tellAll(to: client)
      } else {
        if !changes.isEmpty, client.subscription.isToState { client.tell(.change(changes)) }
        tellNodes(to: client)
      }
    }
  }

  /// The whole state, and all of the parameters that a client asked for.
  private func tellAll(to client: SurfaceClient) {
    // The others are told the same by the turn's end.
    if client.subscription.isToState {
      let sections = state.sections(self, isWhole: true)
      // What clients set from here on counts as a change.
      told = told ?? sections
      client.tell(.state(sections + [.log(log.entries)]))
    }
    toldValues[client.port.id] = nil
    tellNodes(to: client)
  }

  /// The nodes that a client watches and that are otherwise than it was told last.
  private func tellNodes(to client: SurfaceClient) {
    let paths = client.subscription.paths
    guard !paths.isEmpty else { return }
    let tree = control.tree
    let before = toldValues[client.port.id] ?? [:]
    var (present, changed) = ([String: PropertyValue](), [SurfaceNode]())
    // What is not there now is told when it comes back.
    for node in paths.flatMap({ (try? tree.nodes(at: $0)) ?? [] }) {
      let value = node.value
      if before[node.path] != value, present[node.path] == nil { changed.append(node.shown) }
      present[node.path] = value
    }
    toldValues[client.port.id] = present
    if !changed.isEmpty { client.tell(.changed(changed)) }
  }
}
