import SynthSoundFonts

/// Which sources of modulators have changed on a channel since its voices followed them last. [audio thread]
struct SourceChanges: BitwiseCopyable {
  /// Whether everything is to be computed again.
  var concernAll = false
  private var controllers = SIMD2<UInt64>(repeating: 0)
  /// Others than controllers, by their numbers.
  private var others: UInt32 = 0

  @_noLocks
  init() {}

  var isEmpty: Bool {
    @_noLocks get { !concernAll && others == 0 && controllers.x == 0 && controllers.y == 0 }
  }

  /// Whether the soft pedal or a controller from 71 to 78 has changed.
  var concernSoundControllers: Bool {
    @_noLocks get { controllers.y & 0x7F88 != 0 }
  }

  @_noLocks
  mutating func insert(controller: UInt8) {
    if controller < 64 {
      controllers.x |= 1 &<< UInt64(controller)
    } else {
      controllers.y |= 1 &<< UInt64(controller & 63)
    }
  }

  /// Key pressure (10), channel pressure (13), pitch bend (14) or its range (16).
  @_noLocks
  mutating func insert(source: UInt32) { others |= 1 &<< (source & 31) }

  /// Key and velocity.
  @_noLocks
  mutating func insertNote() { others |= 0b1100 }

  @_noLocks
  func contain(_ source: ModulatorSource) -> Bool {
    let index = UInt64(source.rawValue & 0x7F)
    guard source.rawValue & 0x80 != 0 else { return index < 32 && others & (1 &<< UInt32(index)) != 0 }
    return (index < 64 ? controllers.x : controllers.y) & (1 &<< (index & 63)) != 0
  }
}
