/// The modulators of a zone that lead to others, and those that they lead to (section 8.2.3).
///
/// FluidSynth takes the number of the other one for a generator's; here links lead where the standard says. What leads
/// nowhere or in a circle is left out, and what nothing leads to.
struct ModulatorChains {
  private var modulators: [Int: (modulator: ZoneModulator, target: Int?)] = [:]

  /// - Parameters:
  ///   - number: its place among the zone's records.
  ///   - target: the number of the one that it leads to.
  mutating func add(_ modulator: ZoneModulator, number: Int, target: Int?) {
    modulators[number] = (modulator, target)
  }

  /// Each before the one that it leads to; none of them where a voice has no room for all.
  ///
  /// - Parameter first: the place of the first in the zone's list.
  func list(from first: Int) -> [ZoneModulator] {
    let distances = distances
    guard !distances.isEmpty, first + distances.count <= ZoneModulator.mostOfZone else { return [] }
    // The farthest from the end come first.
    let order = distances.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    return order.compactMap { number in
      guard let entry = modulators[number] else { return nil }
      var modulator = entry.modulator
      if let place = entry.target.flatMap({ places[$0] }) { modulator.link = Int8(first + place) }
      return modulator
    }
  }

  /// How many links each is away from the generator, for those that begin with a source and end there.
  private var distances: [Int: Int] {
    var distances: [Int: Int] = [:]
    for (number, entry) in modulators where !entry.modulator.source.isLink {
      var chain = [number]
      // Longer chains than a voice has room for are not followed.
      while chain.count < ZoneModulator.mostOfZone, let next = modulators[chain[chain.count - 1]]?.target,
        modulators[next]?.modulator.source.isLink == true
      {
        chain.append(next)
      }
      guard let last = modulators[chain[chain.count - 1]], last.target == nil else { continue }
      for (distance, number) in chain.reversed().enumerated() { distances[number] = distance }
    }
    return distances
  }
}
