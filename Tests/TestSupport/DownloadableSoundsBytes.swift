// Banks of Downloadable Sounds for tests.

/// A bank of one wave at 8000 Hz, unity key 69, and an instrument for each of `banks`.
public func downloadableSounds(
  _ banks: [UInt32] = [0], region: [UInt8]? = nil, connections: [[UInt16]] = [], bits: UInt16 = 16,
  samples: [UInt8]? = nil
) -> [UInt8] {
  let data = samples ?? (0..<200).flatMap { words(UInt16(bitPattern: Int16($0 % 20 < 10 ? 8000 : -8000))) }
  let wave = list(
    "wave",
    riff("fmt ", words(1, 1) + longs(8000, 16000) + words(bits / 8, bits)) + riff("data", data)
      + riff("wsmp", dlsWaveSample(key: 69, tuning: -7, gain: 0, loop: (20, 100))))
  let art =
    connections.isEmpty
    ? []
    : list("lart", riff("art1", longs(8, UInt32(connections.count)) + connections.flatMap { toWords($0) }))
  let regions = list("lrgn", list("rgn ", region ?? dlsRegion()))
  let instruments = banks.enumerated().map { number, bank in
    list(
      "ins ",
      riff("insh", longs(1, bank, UInt32(number))) + regions + art
        + list("INFO", riff("INAM", Array("Tone\(number)\0".utf8))))
  }
  return riff(
    "RIFF",
    Array("DLS ".utf8) + riff("colh", longs(UInt32(banks.count))) + list("lins", instruments.flatMap(\.self))
      + riff("ptbl", longs(8, 1, 0)) + list("wvpl", wave))
}

public func dlsRegion(cue: UInt32 = 0, own: [UInt8] = []) -> [UInt8] {
  riff("rgnh", words(10, 90, 1, 127, 0, 3)) + own + riff("wlnk", words(0, 0) + longs(1, cue))
}

public func dlsWaveSample(key: UInt16, tuning: Int16, gain: Int32, loop: (UInt32, UInt32)?) -> [UInt8] {
  longs(20) + words(key, UInt16(bitPattern: tuning)) + longs(UInt32(bitPattern: gain), 0, loop == nil ? 0 : 1)
    + (loop.map { longs(16, 0, $0.0, $0.1) } ?? [])
}

private func list(_ kind: String, _ content: [UInt8]) -> [UInt8] { riff("LIST", Array(kind.utf8) + content) }

private func words(_ words: UInt16...) -> [UInt8] { toWords(words) }

private func toWords(_ words: [UInt16]) -> [UInt8] {
  words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
}

private func longs(_ longs: UInt32...) -> [UInt8] {
  longs.flatMap { words(UInt16(truncatingIfNeeded: $0), UInt16($0 >> 16)) }
}
