/// The order in which the songs of a list are played: as they stand there, or each once a round in an order that is
/// another one in each round.
public struct PlayQueue: Sendable {
  /// How many songs the list has.
  public let count: Int
  /// Whether the order is random.
  public private(set) var isShuffled: Bool
  /// Whether another round follows the last song.
  public private(set) var isRepeating: Bool
  private var random: SplitMix64
  /// The round before this one, this one, and the one after as soon as it is known; indices into the list.
  private var before: [Int] = []
  private var round: [Int]
  private var after: [Int] = []
  private var place = 0

  /// - Parameters:
  ///   - count: at least one.
  ///   - seed: from which random orders follow.
  public init(count: Int, isShuffled: Bool = false, isRepeating: Bool = false, seed: UInt64) {
    precondition(count > 0, "a queue of no songs")
    self.count = count
    self.isShuffled = isShuffled
    self.isRepeating = isRepeating
    random = SplitMix64(state: seed)
    round = Array(0..<count)
    if isShuffled { round.shuffle(using: &random) }
  }

  /// The index of the present song in the list.
  public var current: Int { round[place] }

  /// Goes to the next song; false, and stays, where none follows.
  public mutating func advance() -> Bool {
    if place + 1 < round.count {
      place += 1
    } else {
      guard isRepeating else { return false }
      knowAfter()
      (before, round, after, place) = (round, after, [], 0)
    }
    return true
  }

  /// Goes to the song before, at most a round back; false, and stays, where that was the first.
  public mutating func retreat() -> Bool {
    if place > 0 {
      place -= 1
    } else {
      guard !before.isEmpty else { return false }
      (after, round, before, place) = (round, before, [], before.count - 1)
    }
    return true
  }

  /// Goes to a song of the list. In a random order what follows stays as it was, without that song; else what stands
  /// behind it in the list follows.
  public mutating func go(to index: Int) {
    precondition((0..<count).contains(index), "song \(index) of \(count)")
    guard isShuffled else { return (round, after, place) = (Array(0..<count), [], index) }
    guard index != current else { return }
    place += 1
    if let old = round.lastIndex(of: index) {
      round.remove(at: old)
      if old < place { place -= 1 }
    }
    round.insert(index, at: place)
  }

  /// What follows, at most so many songs.
  public mutating func upcoming(_ limit: Int) -> [Int] {
    if isRepeating { knowAfter() }
    return Array((round[(place + 1)...] + after).prefix(limit))
  }

  /// How many songs follow in this round.
  public var remaining: Int { round.count - place - 1 }

  /// Orders what follows: at random those of the list that this round has not had, else those that stand behind the
  /// present one in the list.
  public mutating func shuffle(_ isOn: Bool) {
    guard isOn != isShuffled else { return }
    isShuffled = isOn
    let played = round[...place]
    var rest = Array((current + 1)..<max(count, current + 1))
    if isOn {
      let known = Set(played)
      rest = (0..<count).filter { !known.contains($0) }.shuffled(using: &random)
    }
    round = played + rest
    after = []
  }

  /// Lets another round follow the last song, or ends with it.
  public mutating func `repeat`(_ isOn: Bool) {
    isRepeating = isOn
    after = []
  }

  private mutating func knowAfter() {
    guard after.isEmpty else { return }
    after = Array(0..<count)
    guard isShuffled, count > 1 else { return }
    after.shuffle(using: &random)
    // A song does not follow itself.
    if after[0] == round.last { after.swapAt(0, .random(in: 1..<count, using: &random)) }
  }
}

/// A random number generator with a seed. Source: Steele, Lea, Flood, OOPSLA 2014.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
