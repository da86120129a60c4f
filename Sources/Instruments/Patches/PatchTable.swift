/// The patches of a renderer, worked out for its sample rate, in memory the audio thread may read.
struct PatchTable: ~Copyable {
  private let patches: UnsafeMutablePointer<VoicePatch>
  private let velocityGains: UnsafeMutablePointer<Float>
  private static let gainCount = 129

  init(_ patches: [Patch], sampleRate: Double) {
    self.patches = .allocate(capacity: max(patches.count, 1))
    velocityGains = .allocate(capacity: max(patches.count, 1) * Self.gainCount)
    for (index, patch) in patches.enumerated() {
      (self.patches + index).initialize(
        to: VoicePatch(patch, sampleRate: sampleRate, velocityGains: velocityGains + index * Self.gainCount))
    }
  }

  deinit {
    patches.deallocate()
    velocityGains.deallocate()
  }

  /// The patch of a part. [audio thread]
  subscript(_ index: Int) -> UnsafePointer<VoicePatch> {
    @_noLocks get { UnsafePointer(patches + index) }
  }
}
