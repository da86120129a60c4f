import Glibc
import SynthALSA
import SynthFiles
import SynthKit
import SynthRealtime
import SynthRemote

// The facts of the running machine.

extension SystemFacts {
  /// Reads all there is to know; playing takes two seconds.
  init(device: String) {
    self.init()
    self.device = device
    readUser()
    readCards()
    readServers()
    readMachine()
    readPlaying()
    // A server is asked above.
    if !DeviceOptions.isJACK(device) { trial = Result { () throws(PCMError) in try TrialPlay(on: device) } }
    scheduling = Self.requestedScheduling()
  }

  private mutating func readUser() {
    user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    var system = utsname()
    uname(&system)
    kernel = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    isContainer = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains { (path: String) in
      Glibc.access(path, F_OK) == 0
    }
    guard let group = getgrnam("audio") else { return membership = .none }
    var own = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(own.count), &own)
    if own.prefix(Int(max(0, count))).contains(group.pointee.gr_gid) { return membership = .present }
    var members = group.pointee.gr_mem
    membership = .none
    while let member = members?.pointee {
      if String(cString: member) == user { membership = .fromNextLogin }
      members = members?.advanced(by: 1)
    }
  }

  private mutating func readCards() {
    let hardware = PCMHardware.all(.playback)
    for device in hardware where !cards.contains(device.cardName) { cards.append(device.cardName) }
    let nodes = directoryEntries("/dev/snd").filter { $0.hasPrefix("controlC") || $0.hasPrefix("pcmC") }
    access = nodes.isEmpty ? .absent : SoundDirectory.isDenied() ? .denied : .allowed
    // A card that may not be opened has no devices for this user, but the kernel tells its name.
    if access == .denied, cards.isEmpty { cards = Self.cardNames }
    uses = hardware.compactMap { device in
      let (holders, owner) = (device.holders, device.reservation)
      return holders.isEmpty && owner == nil ? nil : Use(device: device.id, holders: holders, reservation: owner)
    }
    driverless = directoryEntries("/sys/bus/pci/devices").sorted().compactMap { name in
      let path = "/sys/bus/pci/devices/\(name)"
      // Multimedia audio, old and new.
      guard let kind = Self.line(of: "\(path)/class"), kind.hasPrefix("0x0401") || kind.hasPrefix("0x0403"),
        linkTarget("\(path)/driver") == nil
      else { return nil }
      return ["vendor", "device"].map { Self.line(of: "\(path)/\($0)")?.dropFirst(2) ?? "" }.joined(separator: ":")
    }
  }

  private static var cardNames: [String] {
    directoryEntries("/proc/asound").filter { $0.hasPrefix("card") && $0 != "cards" }.sorted().compactMap {
      line(of: "/proc/asound/\($0)/id")
    }
  }

  private mutating func readServers() {
    let directory = getenv("XDG_RUNTIME_DIR").map { String(path: $0) } ?? "/run/user/\(getuid())"
    // PipeWire has PulseAudio's socket too.
    if Self.answers("\(directory)/pipewire-0") {
      servers = [.pipeWire]
    } else if Self.answers("\(directory)/pulse/native") {
      servers = [.pulseAudio]
    }
    let programs = directoryEntries("/proc").lazy.filter { Int($0) != nil }.map { Self.line(of: "/proc/\($0)/comm") }
    if programs.contains(where: { $0 == "jackd" || $0 == "jackdbus" }) {
      servers.insert(.jack, at: 0)
      let request = JACKRequest(clientName: "synth doctor", connects: false)
      jack = Result { () throws(JACKError) in try JACKStream(request).parameters }
    }
    outputs = PCMDevice.outputs().map(\.name)
  }

  /// Whether a server listens at a socket: that of one that was killed stays.
  private static func answers(_ path: String) -> Bool {
    guard let descriptor = try? SocketPath.connect(to: path) else { return false }
    close(descriptor)
    return true
  }

  private mutating func readMachine() {
    realtimeShare = Self.line(of: "/proc/sys/kernel/sched_rt_runtime_us").flatMap { Int($0) } ?? realtimeShare
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
    // The superuser is not bound by it.
    memoryLimit = limit.rlim_cur == rlim_t.max || geteuid() == 0 ? nil : UInt64(limit.rlim_cur)
    for name in directoryEntries("/sys/devices/system/cpu") where name.hasPrefix("cpu") {
      let path = "/sys/devices/system/cpu/\(name)/cpufreq/scaling_"
      guard let governor = Self.line(of: path + "governor") else { continue }
      governors.insert(Governor(name: governor, driver: Self.line(of: path + "driver") ?? ""))
    }
  }

  private mutating func readPlaying() {
    keyboards = Result { () throws(SequencerError) in try SequencerPort.instruments().map(\.description) }
    rawMIDIHolders = DeviceHolder.holders { $0.hasPrefix("/dev/snd/midiC") }
    font = Result { () throws(SoundFontLocatorError) in try SoundFontLocator.standard().locate() }
    if case .success(let (path, _)) = font { isFontReadable = Glibc.access(path.cPath, R_OK) == 0 }
  }

  /// As a thread of this program gets it.
  private static func requestedScheduling() -> ThreadScheduling {
    let request = RealtimeRequest()
    let isDone = Semaphore()
    let thread = try? WorkerThread(named: "scheduling", stackSize: WorkerThread.smallStack) {
      request.begin()
      request.make()
      isDone.wait(nanoseconds: 3_000_000_000)
      request.end()
    }
    guard let thread else { return .unpaced }
    // RealtimeKit has two seconds to answer.
    for _ in 0..<250 where request.outcome == .unpaced { usleep(10_000) }
    defer { thread.join() }
    isDone.signal()
    return request.outcome
  }

  private static func line(of path: String) -> String? {
    smallFile(path)?.split(separator: "\n").first.map(String.init)
  }
}
