import CSynthALSA
import Glibc
import SynthRealtime

/// Watches for a preferred device while an output plays: one that has returned, or another device that has become
/// `default`. The audio thread then moves to it. Tells of headphones that are pulled, and of a machine that has woken.
/// Its thread is not shared, because opening a device may take a while.
final class DeviceMonitor: @unchecked Sendable {
  // Unchecked: the variables belong to the thread; the rest is constant.

  private let exchange: UnsafePointer<PCMExchange>
  private let stopSignal = eventfd(0, Int32(EFD_CLOEXEC))
  private var thread: WorkerThread?
  private var configuration = ConfigurationFiles()
  /// Those of the card that plays, if it has any.
  private var jacks: JackWatch?
  /// The route whose jacks they are.
  private var watched: Route?
  private var suspensions: Int

  /// Milliseconds between two checks while no device comes or goes.
  private static let pause: Int32 = 1000

  /// Begins to watch; nil if no device can be preferred to the present one, which has no card, or the system has no
  /// thread left.
  ///
  /// - Parameter exchange: must outlive the monitor.
  init?(_ exchange: UnsafePointer<PCMExchange>) {
    self.exchange = exchange
    suspensions = exchange.pointee.suspensions.load(ordering: .relaxed)
    let hasCard = exchange.pointee.present.withLock { $0.map { $0.identity?.hasCard == true } ?? true }
    let requests = exchange.pointee.choice.withLock { $0?.requests ?? [] }
    guard hasCard || requests.count > 1 || requests.contains(where: \.isForDefault), stopSignal >= 0 else {
      return nil
    }
    // The owner stops the thread before it releases the monitor.
    thread = try? WorkerThread(named: "device watch", stackSize: WorkerThread.smallStack) { [self] in run() }
    guard thread != nil else { return nil }
  }

  /// Ends the thread and waits for it. Called once.
  func stop() {
    eventfd_write(stopSignal, 1)
    thread?.join()
  }

  deinit { if stopSignal >= 0 { close(stopSignal) } }

  private func run() {
    let watch = SoundDeviceWatch()
    // How many more checks of `default` follow a change: the device may be busy for a moment.
    var looks = 0
    while true {
      watchJacks()
      let change = watch.wait(
        milliseconds: Self.pause, orUntilReadable: stopSignal, control: jacks?.file ?? -1)
      if change == .interrupted { return jacks = nil }
      if change == .control {
        tellOfJacks()
        continue
      }
      // A card that is going away may let itself be opened for a while: not at once again.
      if jacks == nil { watched = nil }
      tellOfWaking()
      if configuration.haveChanged() || change == .devices { looks = 5 }
      guard exchange.pointee.isRunning.load(ordering: .acquiring), exchange.pointee.present.withLock({ $0 != nil })
      else {
        continue
      }
      if hasBetterDevice() { exchange.pointee.requestMove() }
      if looks > 0 { looks = lookAtDefault() ? 0 : looks - 1 }
    }
  }

  /// Turns to the card that plays now.
  private func watchJacks() {
    let present = exchange.pointee.present.withLock { $0 }
    guard present?.route != watched else { return }
    watched = present?.route
    jacks = nil
    // A card with headphones may have a screen, too.
    guard let identity = present?.identity, identity.hasCard, !identity.name.contains("HDMI") else { return }
    jacks = JackWatch(card: identity.card)
  }

  private func tellOfJacks() {
    switch jacks?.change() {
    case nil: break
    case .gone: jacks = nil
    case .pluggedIn: tell(.pluggedIn)
    case .unplugged: tell(.unplugged)
    }
  }

  private func tellOfWaking() {
    let count = exchange.pointee.suspensions.load(ordering: .relaxed)
    if count > suspensions { tell(.woken) }
    suspensions = count
  }

  /// Tells of something that leaves the route as it is.
  private func tell(_ reason: RouteChange.Reason) {
    guard let route = exchange.pointee.present.withLock({ $0?.route }) else { return }
    exchange.pointee.news.tell(reason, from: route, to: route)
  }

  private func hasBetterDevice() -> Bool {
    let better = exchange.pointee.choice.withLock { choice in
      choice.map { choice in choice.ranking.better(at: HostClock.now).map { choice.requests[$0] } } ?? []
    }
    return better.contains { identity(of: $0) != nil }
  }

  /// Requests a move if `default` plays and is another device now; false if that could not be determined.
  private func lookAtDefault() -> Bool {
    let present = exchange.pointee.present.withLock { $0 }
    let requests = exchange.pointee.choice.withLock { $0?.requests ?? [] }
    guard let present, let request = requests.first(where: { $0.device == present.parameters.device }),
      request.isForDefault
    else { return true }
    guard let identity = identity(of: request) else { return false }
    if identity != present.identity { exchange.pointee.requestMove() }
    return true
  }

  /// The device behind a request, opened for a moment; nil if it cannot be opened.
  private func identity(of request: PCMRequest) -> PCMIdentity? {
    // What is another's is not opened, not even for a moment.
    if let card = request.ownCard, !DeviceReservation.isOwn(card), !DeviceReservation.isAvailable(card: card) {
      return nil
    }
    guard let handle = PCMHandle(probing: request.device), (try? handle.negotiate(request)) != nil else { return nil }
    return handle.identity
  }
}

extension PCMRequest {
  /// Whether it is for the device that the configuration names.
  var isForDefault: Bool { device == "default" }

  /// The card whose device no other program can open meanwhile; nil for plugins that share and for sound servers.
  var ownCard: Int32? {
    ["hw:", "plughw:"].contains { device.hasPrefix($0) } ? HardwareName(device)?.card : nil
  }
}

/// What a name like `default` stands for: a device of a card, or a sound server.
struct PCMIdentity: Sendable, Equatable {
  /// The card's number, negative if there is no card.
  let card: Int32
  let device: UInt32
  /// The driver's or the plugin's name for it.
  let name: String

  var hasCard: Bool { card >= 0 }
}

extension PCMHandle {
  /// Nil if the device does not tell. The corresponding C function is `snd_pcm_info`.
  var identity: PCMIdentity? {
    var allocated: OpaquePointer?
    guard snd_pcm_info_malloc(&allocated) >= 0, let info = allocated else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) >= 0 else { return nil }
    return PCMIdentity(
      card: snd_pcm_info_get_card(info), device: snd_pcm_info_get_device(info),
      name: String(cString: snd_pcm_info_get_id(info)))
  }
}

/// alsa-lib's configuration files, which define `default`. They may change at any time; alsa-lib itself reads them
/// once.
struct ConfigurationFiles {
  /// What changes with a file's contents; all zero if the file is absent.
  private struct State: Equatable {
    var inode: UInt = 0
    var size = 0
    var seconds = 0
    var nanoseconds = 0

    init(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      (inode, size) = (UInt(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private let paths: [String]
  private var states: [State]

  /// The user's and the system's files, as they are now.
  init() {
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let settings = getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? "\(home)/.config"
    paths = ["/etc/asound.conf", "/etc/alsa/conf.d", "\(home)/.asoundrc", "\(settings)/alsa/asoundrc"]
    states = paths.map(State.init)
  }

  /// Whether one of them has changed since the last call; alsa-lib then reads them again at its next open.
  /// The corresponding C function is `snd_config_update_free_global`.
  mutating func haveChanged() -> Bool {
    let present = paths.map(State.init)
    guard present != states else { return false }
    states = present
    snd_config_update_free_global()
    return true
  }
}
