/// The channels and keys that an instrument plays.
struct InstrumentPlace: BitwiseCopyable, Hashable {
  /// A bit for each channel.
  var channels: UInt16
  var lowKey: UInt8 = 0
  var highKey: UInt8 = 127

  /// - Parameter channel: of a member of a zone, its master.
  @_noLocks
  func contains(_ key: UInt8, _ channel: UInt8) -> Bool {
    channels & (1 &<< UInt16(channel & 15)) != 0 && key >= lowKey && key <= highKey
  }
}

/// The places of an engine's instruments, in memory that the rack owns. [audio thread]
package struct InstrumentPlaces: BitwiseCopyable {
  private(set) var count = 0
  private var places: UnsafeMutablePointer<InstrumentPlace>?

  /// None.
  @_noLocks
  package init() {}

  init(_ places: [InstrumentPlace]) {
    count = places.count
    let memory = UnsafeMutablePointer<InstrumentPlace>.allocate(capacity: count)
    for index in 0..<count { (memory + index).initialize(to: places[index]) }
    self.places = memory
  }

  func free() { places?.deallocate() }

  subscript(index: Int) -> InstrumentPlace {
    @_noLocks get {
      guard let places, index < count else { return InstrumentPlace(channels: 0) }
      return places[index]
    }
  }

  /// - Parameter channel: of a member of a zone, its master.
  @_noLocks
  func contain(_ key: UInt8, _ channel: UInt8) -> Bool {
    for index in 0..<count where self[index].contains(key, channel) { return true }
    return false
  }

  /// The channels of all of them, a bit each.
  var channels: UInt16 { (0..<count).reduce(0) { $0 | self[$1].channels } }
}
