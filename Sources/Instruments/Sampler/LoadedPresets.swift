import CFluidSynth

/// The presets whose samples are in memory for good: no other may be selected on the audio thread,
/// where FluidSynth would read its file.
struct LoadedPresets: ~Copyable {
  /// Addresses in ascending order.
  private let presets: UnsafeMutablePointer<UInt>
  private let count: Int?

  /// All there are.
  init() {
    presets = .allocate(capacity: 1)
    count = nil
  }

  init(_ presets: Set<OpaquePointer>) {
    count = presets.count
    self.presets = .allocate(capacity: max(presets.count, 1))
    for (index, preset) in presets.map(UInt.init(bitPattern:)).sorted().enumerated() {
      (self.presets + index).initialize(to: preset)
    }
  }

  deinit { presets.deallocate() }

  /// [audio thread]
  @_noLocks
  func contains(_ preset: OpaquePointer) -> Bool {
    guard let count else { return true }
    let address = UInt(bitPattern: preset)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) / 2
      if presets[middle] < address { low = middle &+ 1 } else { high = middle }
    }
    return low < count && presets[low] == address
  }
}
