// Any bytes as a MIDI file: parsed, made a song, put on a timeline, analysed, and looked at from every side.

import SynthMIDI

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMIDIFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let file = try? MIDIFile(bytes: bytes) else { return 0 }

  var payloadCount = 0
  for track in file.tracks {
    var tick: UInt32 = 0
    for event in file.events[track.events] {
      precondition(event.tick >= tick && event.tick <= track.endTick, "ticks fall within a track")
      tick = event.tick
      switch event.content {
      case .message: break
      case .systemExclusive(let payload), .escape(let payload), .meta(let payload, _):
        payloadCount += file.bytes(of: payload).count
      }
    }
  }
  precondition(payloadCount <= count, "payloads outgrow the file")
  precondition(file.events.count <= count && file.warnings.count <= count + 4, "events outgrow the file")
  for warning in file.warnings {
    precondition(0...count ~= warning.byteOffset && !warning.description.isEmpty, "warning outside of the file")
  }

  let song = Song(file)
  precondition(song.duration.isFinite)
  let timeline = Timeline(song, sampleRate: 48_000)
  var time: Int64 = 0
  var sum = 0
  defer { withExtendedLifetime(timeline) {} }
  for (event, songEvent) in zip(timeline.events, song.events) {
    precondition(time...timeline.duration ~= event.time, "times fall, or pass the end")
    time = event.time
    sum &+= event.payload.reduce(0) { $0 &+ Int($1) } &+ Int(event.message.channel)
    precondition(song.tempoMap.seconds(at: song.tempoMap.tick(at: songEvent.seconds)) == songEvent.seconds)
  }
  checkInfo(SongInfo(file), count)
  checkWriting(file)
  return sum == .min ? -1 : 0
}

/// What is written is read as the same song.
private func checkWriting(_ file: MIDIFile) {
  let sequence = MusicSequence(file)
  for runningStatus in [true, false] {
    do {
      let written = try MIDIFile(bytes: MIDIFile(sequence).bytes(runningStatus: runningStatus))
      precondition(MusicSequence(written) == sequence, "another song is read than was written")
    } catch let error as MIDIFileWritingError {
      guard case .deltaTooLong = error.cause else { preconditionFailure("\(error)") }
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

private func checkInfo(_ info: SongInfo, _ byteCount: Int) {
  precondition(info.noteCount <= byteCount && info.polyphony <= 16 * 128 && info.channels.count <= 16)
  for channel in info.channels { precondition(channel.noteCount > 0 && channel.polyphony <= info.polyphony) }
  precondition(info.tempos.allSatisfy { $0.value.isFinite && $0.value > 0 }, "a tempo without meaning")
  let positions = info.tempos.compactMap(\.start.position)
  precondition(positions == positions.sorted(), "bars go back")
  for loop in info.loopPoints {
    precondition(0 <= loop.start.seconds && loop.start.tick < loop.end.tick, "a loop is empty")
    precondition(loop.end.seconds <= info.song.duration && loop.repeats != 0, "a loop outlasts the song")
  }
  // A byte of Shift-JIS may become three of UTF-8; a space may come behind each syllable.
  let words = info.lyrics.lines.flatMap(\.syllables).reduce(0) { $0 + $1.text.utf8.count }
  precondition(words <= 4 * byteCount, "lyrics outgrow the file")
  precondition(info.lyrics.lines.allSatisfy { !$0.syllables.isEmpty }, "a line without words")
  let entries = info.container?.info.reduce(0) { $0 + $1.text.utf8.count } ?? 0
  precondition(
    entries <= 3 * byteCount && info.container?.bank?.byteCount ?? 0 <= byteCount, "a container outgrows the file")
  if let bank = info.container?.bank {
    let font = bank.soundFont
    switch bank.kind {
    case .soundFont: precondition(font?.count == bank.bytes.count, "a bank changes its size")
    case .downloadableSounds: precondition(font?.count ?? 0 <= 1000 + 16 * byteCount, "a bank outgrows its file")
    }
    precondition(bank.name?.utf8.count ?? 0 <= 3 * byteCount && 0...127 ~= bank.offset)
  }
}
