import SynthKit
import Testing

@Suite("The order of songs")
struct PlayQueueTests {
  /// The present song and those after it.
  private func played(_ queue: PlayQueue, atMost limit: Int = 1000) -> [Int] {
    var queue = queue
    var songs = [queue.current]
    while songs.count < limit, queue.advance() { songs.append(queue.current) }
    return songs
  }

  @Test("is that of the list, there and back, once or for ever")
  func listed() {
    var queue = PlayQueue(count: 3, seed: 1)
    #expect(played(queue) == [0, 1, 2])
    let ahead = [queue.advance(), queue.advance(), queue.advance()]
    #expect(ahead == [true, true, false] && queue.current == 2)
    let back = [queue.retreat(), queue.retreat(), queue.retreat()]
    #expect(back == [true, true, false] && queue.current == 0)
    queue.repeat(true)
    #expect(played(queue, atMost: 8) == [0, 1, 2, 0, 1, 2, 0, 1])
    var upcoming = queue.upcoming(4)
    #expect(upcoming == [1, 2, 0, 1])
    queue.repeat(false)
    upcoming = queue.upcoming(4)
    #expect(played(queue) == [0, 1, 2] && upcoming == [1, 2] && queue.remaining == 2)
    #expect(played(PlayQueue(count: 1, isShuffled: true, isRepeating: true, seed: 1), atMost: 3) == [0, 0, 0])
  }

  @Test("shuffled has each song once in a round, another order in each, and no song twice in succession")
  func rounds() {
    for count in 2..<20 {
      let queue = PlayQueue(count: count, isShuffled: true, isRepeating: true, seed: UInt64(count))
      let songs = played(queue, atMost: 20 * count)
      let rounds = stride(from: 0, to: songs.count, by: count).map { Array(songs[$0..<($0 + count)]) }
      for round in rounds { #expect(round.sorted() == Array(0..<count)) }
      #expect(zip(songs, songs.dropFirst()).allSatisfy { $0 != $1 })
      // Two songs that never follow themselves have one order.
      if count > 5 { #expect(Set(rounds).count == 20) }
    }
  }

  @Test("follows from the seed, and another gives another")
  func seeds() {
    let first = played(PlayQueue(count: 100, isShuffled: true, seed: 7))
    #expect(first == played(PlayQueue(count: 100, isShuffled: true, seed: 7)))
    #expect(first != played(PlayQueue(count: 100, isShuffled: true, seed: 8)))
  }

  @Test("goes back over the beginning of a round, and then on as before")
  func history() {
    var queue = PlayQueue(count: 9, isShuffled: true, isRepeating: true, seed: 3)
    let songs = played(queue, atMost: 27)
    for _ in 0..<12 { _ = queue.advance() }
    for place in (0..<12).reversed() {
      let isThere = queue.retreat()
      #expect(isThere && queue.current == songs[place])
    }
    #expect(played(queue, atMost: 18) == Array(songs[..<18]))
  }

  @Test("goes to any song: behind it follows what stands there, or in a random order what would have followed")
  func chosen() {
    var queue = PlayQueue(count: 5, seed: 1)
    queue.go(to: 3)
    #expect(played(queue) == [3, 4])
    queue.go(to: 1)
    #expect(played(queue) == [1, 2, 3, 4])
    let isBack = queue.retreat()
    #expect(isBack && queue.current == 0)
    var shuffled = PlayQueue(count: 9, isShuffled: true, seed: 3)
    for _ in 0..<3 { _ = shuffled.advance() }
    let order = played(shuffled)
    for song in [order[4], order[1]] {
      shuffled.go(to: song)
      #expect(shuffled.current == song)
    }
    #expect(played(shuffled) == [order[1], order[2], order[3], order[5]])
    // One that was played is played again, and not twice more.
    let first = PlayQueue(count: 9, isShuffled: true, seed: 3).current
    shuffled.go(to: first)
    shuffled.go(to: first)
    #expect(played(shuffled) == [first, order[2], order[3], order[5]])
    let isThere = shuffled.retreat()
    #expect(isThere && shuffled.current == order[1])
  }

  @Test("can be shuffled and put in order while it is gone through: no song comes twice, or what stands behind follows")
  func changed() {
    var queue = PlayQueue(count: 20, seed: 5)
    for _ in 0..<4 { _ = queue.advance() }
    queue.shuffle(true)
    #expect(queue.isShuffled && queue.current == 4)
    let rest = played(queue)
    #expect(rest.first == 4 && rest.dropFirst().sorted() == Array(5..<20) && rest != rest.sorted())
    _ = queue.advance()
    let current = queue.current
    queue.shuffle(false)
    #expect(played(queue) == Array(current..<20))
  }
}
