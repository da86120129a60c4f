/// The ports of a loaded rack in memory that it owns: the engines of each, and what they were told. [audio thread]
struct RackPorts {
  private struct Memory {
    var count = 0
    var isForNextSong = false
  }

  private let memory: UnsafeMutablePointer<Memory>
  private let engines: UnsafeMutablePointer<RackEngines>
  private let performances: UnsafeMutablePointer<UnsafeMutablePointer<Performance>>

  init(_ performances: [UnsafeMutablePointer<Performance>]) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    engines = .allocate(capacity: performances.count)
    self.performances = .allocate(capacity: performances.count)
    for (port, performance) in performances.enumerated() { (self.performances + port).initialize(to: performance) }
  }

  func append(_ engines: RackEngines) {
    (self.engines + memory.pointee.count).initialize(to: engines)
    memory.pointee.count += 1
  }

  func free() {
    for port in 0..<count { engines[port].free() }
    engines.deallocate()
    performances.deallocate()
    memory.deallocate()
  }

  var count: Int {
    @_noLocks get { memory.pointee.count }
  }

  subscript(port: Int) -> RackEngines {
    @_noLocks get { engines[port] }
  }

  /// What a port was told.
  @_noLocks
  func performance(_ port: Int) -> UnsafeMutablePointer<Performance> { performances[port] }

  /// Whether it was sent to wait for a song to begin.
  var isForNextSong: Bool {
    @_noLocks get { memory.pointee.isForNextSong }
  }

  /// While the audio thread does not have it. [control thread]
  func setForNextSong(_ isForNextSong: Bool) { memory.pointee.isForNextSong = isForNextSong }
}
