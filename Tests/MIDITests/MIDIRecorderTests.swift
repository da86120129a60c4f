import SynthMIDI
import Testing

@Suite("A recorder of what is played")
struct MIDIRecorderTests {
  private let recorder = MIDIRecorder()
  private let keys = VirtualSource("keys")
  private let pads = VirtualSource("pads")
  private let on = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)
  private let off = MIDIMessage.noteOff(channel: 0, note: 60)

  private func start(_ sources: VirtualSource...) {
    for source in sources { source.start { [recorder] in recorder.receive($0) } }
  }

  @Test("keeps every message with its port and its time, until its source is stopped")
  func entries() {
    start(keys, pads)
    keys.send(on, at: 1000)
    pads.send(systemExclusive: [1, 2], at: 2000)
    pads.deliver(.departed(pads.port))
    keys.stop()
    keys.send(off, at: 3000)
    #expect(recorder.entries.map(\.content) == [.message(on), .systemExclusive([1, 2])])
    #expect(recorder.entries.map(\.port) == [keys.port, pads.port])
    #expect(recorder.entries.map(\.hostTime) == [1000, 2000])
    recorder.clear()
    #expect(recorder.entries.isEmpty)
  }

  @Test("stamps what has no time with the present")
  func now() {
    start(keys)
    keys.send(on)
    keys.send(off)
    let times = recorder.entries.map(\.hostTime)
    #expect(times[0] > 0 && times[0] <= times[1])
  }

  @Test("never takes more memory than it may, and keeps the beginning")
  func capacity() {
    let size = MemoryLayout<MIDIRecorder.Entry>.stride
    let small = MIDIRecorder(capacity: 3 * size + 10)
    keys.start { small.receive($0) }
    keys.send(on, at: 1)
    keys.send(systemExclusive: Array(repeating: 0, count: 11 + size), at: 2)
    keys.send(systemExclusive: Array(repeating: 0, count: 10), at: 3)
    keys.send(off, at: 4)
    keys.send(on, at: 5)
    #expect(small.entries.map(\.hostTime) == [1, 3, 4])
    #expect(small.dropCount == 2)
  }

  @Test("gives a song: from its first message on, by time, a track for each port")
  func song() {
    start(keys, pads)
    keys.send(on, at: 5_000_000_000)
    pads.send(systemExclusive: [1, 2], at: 6_500_000_000)
    keys.send(off, at: 6_000_000_000)
    keys.deliver(.received(.reset, from: keys.port, hostTime: 7_000_000_000))
    let song = Song(recorder.entries)
    #expect(song.events.map(\.seconds) == [0, 1, 1.5, 2])
    #expect(song.events.map(\.tick) == [0, 960, 1440, 1920])
    #expect(song.events.map(\.track) == [0, 0, 1, 0])
    #expect(song.events.map(\.message) == [on, off, .systemExclusive, .systemExclusive])
    #expect(song.events.map { Array(song.payload(of: $0)) } == [[], [], [1, 2], [0x7E, 0x7F, 9, 1]])
    #expect(song.duration == 2)
    #expect(Song([]).duration == 0)
  }

  @Test("gives a sequence: at the tempo chosen, a track for each port with its name, to be saved")
  func sequence() throws {
    start(keys, pads)
    keys.send(on, at: 5_000_000_000)
    pads.send(systemExclusive: [1, 2], at: 6_500_000_000)
    keys.send(off, at: 6_000_000_000)
    // At 60 quarter notes per minute a second is a beat.
    let sequence = MusicSequence(recorder.entries, tempo: 60, ticksPerQuarter: 100)
    #expect(sequence.tracks.map { $0.events.map(\.tick) } == [[0, 0, 0, 100], [0, 150]])
    #expect((0..<2).map { sequence.name(ofTrack: $0) } == ["keys", "pads"])
    #expect(sequence.tracks[1].events.last?.content == .systemExclusive([1, 2]))
    let song = Song(try MIDIFile(bytes: MIDIFile(sequence).bytes()))
    #expect(song.events.map(\.message) == [on, off, .systemExclusive])
    #expect(song.events.map(\.seconds) == [0, 1, 1.5])
    // From a beat before the first note on; what came before beat 0 stands there.
    let early = MusicSequence(recorder.entries, tempo: 60, ticksPerQuarter: 100, from: 4_000_000_000)
    #expect(early.tracks[0].events.last?.tick == 200)
    let late = MusicSequence(recorder.entries, tempo: 60, ticksPerQuarter: 100, from: .max)
    #expect(late.duration == 0 && late.tracks.count == 2)
    #expect(MusicSequence([MIDIRecorder.Entry]()).tracks.count == 1)
  }
}
