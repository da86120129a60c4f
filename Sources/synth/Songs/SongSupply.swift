import SynthKit

/// Reads the songs of a list when their turn comes, and passes over those that cannot be played.
struct SongSupply {
  let entries: [SongList.Entry]
  private let part: SongOptions
  private let soundOptions: SoundOptions
  /// Songs whose oddities have been told.
  private var told: Set<Int> = []
  private var unplayable: Set<Int> = []
  private var listFailed: Bool

  /// - Throws: `NoSongs`, or `ToldAlready` where what is named cannot be looked into.
  init(_ operands: [String], _ part: SongOptions, _ soundOptions: SoundOptions) throws {
    let list = SongList(operands, readsInput: false, takesAudio: true)
    for problem in list.problems { Terminal.error(problem) }
    listFailed = !list.problems.isEmpty
    if list.entries.isEmpty { if listFailed { throw ToldAlready() } else { throw NoSongs(operands, list) } }
    entries = list.entries
    self.part = part
    self.soundOptions = soundOptions
  }

  /// Whether something could not be played, which has been told.
  var hasFailures: Bool { listFailed || !unplayable.isEmpty }

  /// The present song of a queue, or if it cannot be played the first one that can before or behind it, to which the
  /// queue then goes; nil without one.
  mutating func song(_ queue: inout PlayQueue, backwards: Bool = false) -> SongFile? {
    var isGoingBack = backwards
    while unplayable.count < entries.count, !Interruption.isRequested {
      if let song = song(at: queue.current) { return song }
      isGoingBack = isGoingBack && queue.retreat()
      guard isGoingBack || queue.advance() else { return nil }
    }
    return nil
  }

  private mutating func song(at index: Int) -> SongFile? {
    guard !unplayable.contains(index) else { return nil }
    do {
      let song = try SongFile(
        path: entries[index].path, playsBank: soundOptions.playsBanks, part.reading)
      try part.check(song)
      if told.insert(index).inserted {
        let unused = part.warnings(of: song) + soundOptions.warnings(ofChannelsUnusedBy: song)
        for warning in song.warnings + song.notices + unused { Terminal.warn(warning) }
      }
      return song
    } catch {
      Terminal.error(errorLine(error))
      unplayable.insert(index)
      return nil
    }
  }
}
