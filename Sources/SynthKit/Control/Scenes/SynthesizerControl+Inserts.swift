extension SynthesizerControl {
  mutating func perform(_ command: InsertCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    do {
      switch command {
      case .insert(let kind, let strip, let file, let number):
        try synthesizer.insert(
          kind, into: strip, at: number.map { $0 - 1 }, file: file.map { TypedPath.expanded($0) })
        return .inserts([listing(of: strip)])
      case .remove(let strip, let number):
        try synthesizer.removeInsert(number.map { $0 - 1 }, from: strip)
        return .inserts([listing(of: strip)])
      case .move(let strip, let number, let place):
        try synthesizer.moveInsert(number - 1, of: strip, to: place - 1)
        return .inserts([listing(of: strip)])
      case .hear(let strip, let number, let source):
        try synthesizer.setSideChain(source, ofInsert: number - 1, of: strip)
        return .inserts([listing(of: strip)])
      }
    } catch {
      throw .refused("\(error)")
    }
  }

  /// Of all strips that have any.
  var inserts: [InsertListing] {
    synthesizer.stripsWithInserts.map(listing)
  }

  private func listing(of strip: Strip) -> InsertListing {
    let inserts = synthesizer.inserts(of: strip)
    return InsertListing(strip: strip, names: inserts.map(\.name), sideChains: inserts.map(\.sideChain))
  }
}
