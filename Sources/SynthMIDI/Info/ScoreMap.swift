/// Tempos, time signatures and keys of a file.
struct ScoreMap {
  private(set) var tempos: [SongInfo.Change<Double>] = []
  private(set) var timeSignatures: [SongInfo.Change<SongInfo.TimeSignature>] = []
  private(set) var keySignatures: [SongInfo.Change<SongInfo.KeySignature>] = []
  /// Nil for a file of SMPTE time.
  private(set) var bars: BarMap?

  init(_ file: MIDIFile, _ tempoMap: TempoMap) {
    if case .ticksPerQuarter(let ticks) = file.division { bars = BarMap(ticksPerQuarter: ticks) }
    func moment(_ tick: UInt32) -> SongInfo.Moment {
      SongInfo.Moment(tick: tick, seconds: tempoMap.seconds(at: tick), position: bars?.position(at: tick))
    }
    PlayOrder(file).forEach(file) { entry in
      guard case .meta(let payload, let type) = entry.event.content else { return }
      let bytes = Array(file.bytes(of: payload))
      if type == .timeSignature, let signature = SongInfo.TimeSignature(bytes) {
        // Tracks often repeat what holds already.
        guard timeSignatures.last?.value != signature else { return }
        bars?.append(signature.numerator, of: signature.denominator, at: entry.tick)
        timeSignatures.replaceLast(SongInfo.Change(start: moment(entry.tick), value: signature))
      } else if type == .keySignature, let signature = SongInfo.KeySignature(bytes) {
        guard keySignatures.last?.value != signature else { return }
        keySignatures.replaceLast(SongInfo.Change(start: moment(entry.tick), value: signature))
      }
    }
    guard bars != nil else { return }
    for segment in tempoMap.segments {
      let tempo = 60_000_000 / Double(max(segment.unitsPerTick, 1))
      if tempos.last?.value != tempo { tempos.append(SongInfo.Change(start: moment(segment.tick), value: tempo)) }
    }
  }
}

extension Array {
  /// Appends a change, or puts it in the place of one at the same moment.
  fileprivate mutating func replaceLast<Value>(_ change: SongInfo.Change<Value>)
  where Element == SongInfo.Change<Value> {
    if last?.start.tick == change.start.tick { removeLast() }
    append(change)
  }
}

extension SongInfo.TimeSignature {
  /// Numerator and the power of two of the denominator; nil for what is no signature.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2, bytes[0] > 0, bytes[1] <= 6 else { return nil }
    self.init(Int(bytes[0]), 1 << Int(bytes[1]))
  }
}

extension SongInfo.KeySignature {
  /// Nil for what is no signature.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2, let sharps = Int(exactly: Int8(bitPattern: bytes[0])), abs(sharps) <= 7, bytes[1] <= 1
    else { return nil }
    self.init(sharps: sharps, isMinor: bytes[1] == 1)
  }
}
