// System Exclusive of the MIDI Tuning Standard, without F0 and F7.

/// A pitch in semitones as the standard has it: key, then a part of 16384.
public func tuningPitch(_ semitones: Double) -> [UInt8] {
  let value = Int((semitones * 16384).rounded())
  return [UInt8(value >> 14), UInt8(value >> 7 & 0x7F), UInt8(value & 0x7F)]
}

/// Single keys, in real time; with a bank in the other form.
public func noteTuning(
  _ keys: [(key: UInt8, pitch: Double)], bank: UInt8? = nil, program: UInt8 = 0, isRealTime: Bool = true
) -> [UInt8] {
  let head: [UInt8] = [isRealTime ? 0x7F : 0x7E, 0x7F, 0x08, bank == nil ? 0x02 : 0x07] + (bank.map { [$0] } ?? [])
  return head + [program, UInt8(keys.count)] + keys.flatMap { [$0.key] + tuningPitch($0.pitch) }
}

/// All 128 keys, with the checksum.
public func tuningDump(_ pitches: [Double], bank: UInt8? = nil, program: UInt8 = 0) -> [UInt8] {
  dump(bank == nil ? 0x01 : 0x04, bank, program, pitches.flatMap(tuningPitch))
}

/// The twelve notes of every octave of a program, in cents off; two bytes each, or one.
public func octaveDump(_ cents: [Double], bank: UInt8, program: UInt8, isFine: Bool = true) -> [UInt8] {
  dump(isFine ? 0x06 : 0x05, bank, program, scaleBytes(cents, isFine))
}

/// The twelve notes of every octave of channels, a bit each, in cents off; two bytes each, or one.
public func scaleTuning(
  _ cents: [Double], channels: UInt16 = 0xFFFF, isFine: Bool = true, isRealTime: Bool = true
) -> [UInt8] {
  let mask = [UInt8(channels >> 14), UInt8(channels >> 7 & 0x7F), UInt8(channels & 0x7F)]
  return [isRealTime ? 0x7F : 0x7E, 0x7F, 0x08, isFine ? 0x09 : 0x08] + mask + scaleBytes(cents, isFine)
}

private func scaleBytes(_ cents: [Double], _ isFine: Bool) -> [UInt8] {
  cents.flatMap { cents -> [UInt8] in
    guard isFine else { return [UInt8((cents + 64).rounded())] }
    let value = Int((cents * 81.92 + 8192).rounded())
    return [UInt8(value >> 7), UInt8(value & 0x7F)]
  }
}

private func dump(_ kind: UInt8, _ bank: UInt8?, _ program: UInt8, _ data: [UInt8]) -> [UInt8] {
  let head: [UInt8] = [0x7E, 0x10, 0x08, kind] + (bank.map { [$0] } ?? []) + [program]
  let bytes = head + Array("a tuning        ".utf8) + data
  return bytes + [bytes.reduce(0, ^) & 0x7F]
}
