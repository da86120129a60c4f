import SynthMIDI
import TestSupport
import Testing

@Suite("Ports of songs")
struct SongPortsTests {
  private func port(_ number: UInt8) -> [UInt8] { [0, 0xFF, 0x21, 1, number] }

  private func song(_ tracks: [UInt8]...) throws -> Song {
    Song(try MIDIFile(bytes: smf(tracks: tracks.map { $0 + end() })))
  }

  private func groups(_ song: Song) -> [UInt8] { song.events.map(\.message.group) }

  @Test("each port with notes is a group, in the order of their numbers")
  func numbers() throws {
    let song = try song(port(7) + note(60), port(2) + note(62), note(64))
    #expect(song.ports == [0, 2, 7] && song.portNames == [nil, nil, nil])
    #expect(groups(song) == [2, 1, 0] && song.portCount == 3)
    #expect(song.events.map(\.message.channelIndex) == [32, 16, 0])
  }

  @Test("a song for one port is in group 0, whichever it is")
  func onePort() throws {
    let song = try song([0, 0xB0, 7, 90], port(3) + note(60))
    #expect(song.ports == [3] && groups(song) == [0, 0] && song.portCount == 1)
  }

  @Test("each name of a device is a port; tracks without one are for the first")
  func names() throws {
    let song = try song(
      [0, 0xB0, 7, 90], text(9, "SC-88 B") + note(60), text(9, "SC-88 A") + note(62), text(9, "SC-88 B") + note(64))
    #expect(song.ports == [0, 1] && song.portNames == ["SC-88 B", "SC-88 A"])
    #expect(groups(song) == [0, 0, 1, 0])
  }

  @Test("a number comes before a name, and holds from where it stands on")
  func both() throws {
    let song = try song(
      text(9, "A") + port(0) + note(60) + port(1) + note(61), text(9, "A") + port(0) + note(62) + [0, 0xC0, 3])
    #expect(song.ports == [0, 1] && groups(song) == [0, 1, 0, 0])
  }

  @Test("System Exclusive is for the port of its track, also in a timeline; the fifth port is played on the first")
  func systemExclusive() throws {
    let reset: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
    let song = try song(
      note(60), port(1) + reset + note(60), port(2) + note(60), port(3) + note(60), port(4) + note(60))
    #expect(groups(song) == [0, 1, 1, 2, 3, 0] && song.portCount == 4)
    let timeline = Timeline(song, sampleRate: 48000)
    withExtendedLifetime(timeline) {
      #expect(timeline.events.map(\.message.group) == [0, 1, 1, 2, 3, 0])
      #expect(timeline.events[1].payload.count == 4)
    }
  }

  @Test("channels have programs, drums and resets of their own on each port")
  func usage() throws {
    let gsDrums: [UInt8] = [0, 0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7]
    let file = try MIDIFile(
      bytes: smf(tracks: [
        [0, 0xC0, 5] + note(60) + end(),
        port(1) + [0, 0xC0, 6] + gsDrums + note(62) + [0, 0x99, 36, 100] + end(),
      ]))
    let info = SongInfo(file)
    #expect(info.channels.map(\.number) == [0, 16, 25])
    #expect(info.channels.map { $0.programs[0].isDrums } == [false, true, true])
    #expect(info.channels.map { $0.programs[0].number } == [5, 6, nil])
    #expect(info.tracks.map(\.channels) == [[0], [16, 25]])
  }

  @Test("routes lead from any port to any other")
  func routes() throws {
    var routes = SongRoutes()
    routes[.channel(16)] = 33
    let song = try song(note(60), port(1) + note(62)).routed(by: routes)
    #expect(song.events.map(\.message.channelIndex) == [0, 33] && song.portCount == 3)
  }

  @Test("keys that a port holds are no other port's")
  func held() {
    var held = HeldState()
    let note = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)
    _ = held.follow(note, from: 1)
    _ = held.follow(note.onGroup(1), from: 2)
    let off = MIDIMessage.noteOff(channel: 0, note: 60)
    let isPlayed = held.follow(off, from: 1)
    #expect(isPlayed)
    #expect(held.releaseMessages() == [off.onGroup(1)])
  }

  @Test("a chord of one key on two ports is two keys")
  func sameTick() throws {
    let timeline = Timeline(
      try song(note(60) + note(60, after: 10), port(1) + note(60) + [10, 0x80, 60, 0]), sampleRate: 48000)
    let kinds = withExtendedLifetime(timeline) { timeline.events.map(\.message.kind) }
    // On one port the note-off would come before the note-on of its tick.
    #expect(kinds == [.noteOn, .noteOn, .noteOn, .noteOff])
  }
}

@Suite("Names of channels")
struct ChannelNameTests {
  @Test("are numbers on the first port, and letters before them on others")
  func texts() {
    #expect([0, 15, 16, 25, 63].map(ChannelName.text) == ["1", "16", "B1", "B10", "D16"])
  }

  @Test("are read as they are shown, counted through, and as synthesizers print them")
  func reading() {
    for channel in 0..<64 {
      #expect(ChannelName.channel(ChannelName.text(channel)) == UInt8(channel))
      #expect(ChannelName.channel("\(channel + 1)") == UInt8(channel))
    }
    #expect(ChannelName.channel("A01") == 0 && ChannelName.channel("b09") == 24)
    for text in ["0", "65", "B0", "B17", "E1", "AB1", "", "B", "1B", "-1", "Å1"] {
      #expect(ChannelName.channel(text) == nil, "\(text)")
    }
  }

  @Test("sets hold channels of all ports")
  func sets() {
    var set: ChannelSet = [9, 25]
    #expect(set.channels == [9, 25] && set.contains(25) && !set.contains(10) && set.intersects([25, 1]))
    set.insert(63)
    #expect(set.channels(ofPort: 3) == 1 << 15 && ChannelSet(1 << 9, onPort: 1) == [25])
    #expect(set.union([0]).channels == [0, 9, 25, 63])
  }
}
