import SynthALSA
import Testing

/// In nanoseconds.
private func seconds(_ count: UInt64) -> UInt64 { count * 1_000_000_000 }

@Test("Devices are tried in the order of preference")
func triesInOrder() {
  let ranking = DeviceRanking(count: 3, present: 1, at: 0)
  #expect(ranking.candidates(at: 0) == [0, 1, 2])
}

@Test("From a fallback, only more wanted devices are better; from the most wanted one, none is")
func knowsTheBetter() {
  var ranking = DeviceRanking(count: 3, present: 2, at: 0)
  #expect(ranking.better(at: 0) == [0, 1])
  ranking.play(on: 1, at: 0)
  #expect(ranking.better(at: 0) == [0])
  ranking.play(on: 0, at: 0)
  #expect(ranking.better(at: 0).isEmpty)
}

@Test("A device that fails is tried last and not returned to for ten seconds")
func putsOffAFailure() {
  var ranking = DeviceRanking(count: 2, present: 0, at: 0)
  ranking.noteFailure(at: seconds(1))
  #expect(ranking.candidates(at: seconds(1)) == [1, 0])
  ranking.play(on: 1, at: seconds(1))
  #expect(ranking.better(at: seconds(11) - 1).isEmpty)
  #expect(ranking.better(at: seconds(11)) == [0])
}

@Test("A device that fails again and again is put off for 10, 20, 40, and then 80 seconds")
func putsOffForLongerEachTime() {
  var ranking = DeviceRanking(count: 2, present: 0, at: 0)
  var time: UInt64 = 0
  for pause: UInt64 in [10, 20, 40, 80, 80] {
    ranking.play(on: 0, at: time)
    ranking.noteFailure(at: time)
    ranking.play(on: 1, at: time)
    #expect(ranking.better(at: time + seconds(pause) - 1).isEmpty)
    time += seconds(pause)
    #expect(ranking.better(at: time) == [0])
  }
}

@Test("A device that has played for more than ten seconds before it fails begins anew")
func forgives() {
  var ranking = DeviceRanking(count: 2, present: 0, at: 0)
  ranking.noteFailure(at: 0)
  ranking.play(on: 0, at: seconds(10))
  ranking.noteFailure(at: seconds(21))
  ranking.play(on: 1, at: seconds(21))
  #expect(ranking.better(at: seconds(31)) == [0])
}
