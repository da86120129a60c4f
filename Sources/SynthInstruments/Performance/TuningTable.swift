/// The tunings of a rack: 128 programs of 128 keys each, and what each channel's twelve notes are off by.
///
/// Keys are equal-tempered until a message tunes their program. Of 16384 programs in banks the first 128 that are tuned
/// have room; messages for others are ignored and counted, as are damaged ones. Memory is allocated in `init`. Source:
/// MIDI Tuning Standard, MMA CA-020 and CA-021. [audio thread]
struct TuningTable: ~Copyable {
  static var programCount: Int {
    @_noLocks get { 128 }
  }

  /// Channels times notes of an octave.
  private static var scaleCount: Int {
    @_noLocks get { 192 }
  }

  /// Whether no message has tuned anything yet.
  private(set) var isEqualTempered = true
  /// Messages that were damaged or had no room.
  private(set) var refusedCount = 0
  private var count = 0
  private let addresses: UnsafeMutablePointer<UInt16>
  /// In semitones, those of key 69 at 440 Hz; 21 bits, which a Float holds exactly.
  private let pitches: UnsafeMutablePointer<Float>
  /// In semitones.
  private let scales: UnsafeMutablePointer<Float>

  init() {
    addresses = .allocate(capacity: Self.programCount)
    addresses.initialize(repeating: 0, count: Self.programCount)
    pitches = .allocate(capacity: Self.programCount * 128)
    pitches.initialize(repeating: 0, count: Self.programCount * 128)
    scales = .allocate(capacity: Self.scaleCount)
    scales.initialize(repeating: 0, count: Self.scaleCount)
  }

  deinit {
    addresses.deallocate()
    pitches.deallocate()
    scales.deallocate()
  }

  /// The pitch of a key in semitones, 69 at 440 Hz.
  ///
  /// - Parameter address: bank × 128 + program that the channel has selected.
  @_noLocks
  func pitch(_ key: UInt8, channel: UInt8, address: UInt16) -> Float {
    let equal = Float(Int32(key))
    if isEqualTempered { return equal }
    var pitch = equal
    if let program = program(address) { pitch = program[Int(key & 127)] }
    return pitch + scales[Int(channel & 15) &* 12 &+ Int(key % 12)]
  }

  /// Forgets all tunings.
  @_noLocks
  mutating func reset() {
    count = 0
    isEqualTempered = true
    for index in 0..<Self.scaleCount { scales[index] = 0 }
  }

  /// Takes a message, and tells what it changed; nil if it changed nothing.
  @_noLocks
  mutating func receive(_ message: TuningMessage) -> TuningChange? {
    guard message.isWhole else {
      refusedCount &+= 1
      return nil
    }
    var change = TuningChange(isRealTime: message.isRealTime)
    switch message.form {
    case .scale:
      setScales(message)
      change.channels = message.channels
      change.keys = SIMD2(repeating: .max)
    case .keys, .octave:
      guard let program = program(making: message.address) else {
        refusedCount &+= 1
        return nil
      }
      change.address = message.address
      tune(program, message, &change)
    }
    isEqualTempered = false
    return change
  }

  /// Sets what a note of the octave, 0 to 11, is off by on a channel, in semitones.
  @_noLocks
  mutating func setScale(_ channel: UInt8, note: UInt8, _ semitones: Float) {
    scales[12 &* Int(channel & 15) &+ Int(note % 12)] = semitones
    isEqualTempered = false
  }

  @_noLocks
  private func setScales(_ message: TuningMessage) {
    for channel in 0..<16 where message.channels & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      for note in 0..<12 { scales[12 &* channel &+ note] = message.offset(note) }
    }
  }

  @_noLocks
  private func tune(_ program: UnsafeMutablePointer<Float>, _ message: TuningMessage, _ change: inout TuningChange) {
    switch message.form {
    case .keys:
      for index in 0..<message.count {
        let key = message.key(index)
        if let pitch = message.pitch(index) {
          program[Int(key & 127)] = pitch
          change.add(key)
        }
      }
    case .octave:
      for key in 0..<128 { program[key] = Float(Int32(truncatingIfNeeded: key)) + message.offset(key % 12) }
      change.keys = SIMD2(repeating: .max)
    case .scale: break
    }
  }

  @_noLocks
  private func program(_ address: UInt16) -> UnsafeMutablePointer<Float>? {
    for index in 0..<count where addresses[index] == address { return pitches + index &* 128 }
    return nil
  }

  /// The program at an address; a new one is equal-tempered.
  @_noLocks
  private mutating func program(making address: UInt16) -> UnsafeMutablePointer<Float>? {
    if let program = program(address) { return program }
    guard count < Self.programCount else { return nil }
    let program = pitches + count &* 128
    for key in 0..<128 { program[key] = Float(Int32(truncatingIfNeeded: key)) }
    addresses[count] = address
    count &+= 1
    return program
  }
}

/// What a message tuned.
public struct TuningChange: BitwiseCopyable, Sendable {
  /// Whether notes that sound follow; otherwise only those to come do.
  public let isRealTime: Bool
  /// A bit for each channel it is for.
  var channels: UInt16 = 0
  /// The program it is for, on whichever channel has selected it; `noProgram` for none.
  var address = noProgram
  /// A bit for each key.
  var keys = SIMD2<UInt64>(repeating: 0)

  static var noProgram: UInt16 {
    @_noLocks get { .max }
  }

  @_noLocks
  init(isRealTime: Bool) { self.isRealTime = isRealTime }

  /// All keys of a channel, those that sound too.
  @_noLocks
  init(ofChannel channel: UInt8) {
    isRealTime = true
    channels = 1 &<< UInt16(channel & 15)
    keys = SIMD2(repeating: .max)
  }

  @_noLocks
  mutating func add(_ key: UInt8) {
    if key < 64 { keys.x |= 1 &<< UInt64(key) } else { keys.y |= 1 &<< UInt64(key & 63) }
  }

  /// Whether a key that sounds is to follow now.
  ///
  /// - Parameter address: of the program its channel has selected.
  @_noLocks
  func retunes(_ key: UInt8, channel: UInt8, address: UInt16) -> Bool {
    guard isRealTime, channels & (1 &<< UInt16(channel & 15)) != 0 || self.address == address else { return false }
    return (key < 64 ? keys.x : keys.y) & (1 &<< UInt64(key & 63)) != 0
  }
}
