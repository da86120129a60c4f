import Glibc
import SynthFiles
import SynthKit
import SynthMIDI

/// What songs begin with: the first that can be played.
struct SongStart {
  let supply: SongSupply
  let queue: PlayQueue
  let file: SongFile

  /// - Throws: `ToldAlready` where nothing can be played.
  init(_ operands: [String], _ part: SongOptions, _ sound: SoundOptions) throws {
    var supply = try SongSupply(operands, part, sound)
    var queue = PlayQueue(
      count: supply.entries.count, isShuffled: part.isShuffled, isRepeating: part.isRepeating,
      seed: .random(in: 0...(.max)))
    guard let file = supply.song(&queue) else { throw ToldAlready() }
    (self.supply, self.queue, self.file) = (supply, queue, file)
  }
}

/// Plays the songs of a list on a session, one after the other: the next one is read and queued before the present one
/// ends.
final class SongPlayer {
  /// What is played, or will be.
  struct Item {
    let file: SongFile
    let entry: SongList.Entry
    /// Empty where they are not shown.
    let lyrics: Lyrics
    /// What desktops show.
    let track: MediaState.Track
  }

  /// How long before its end the next song is read, in seconds.
  private static let preparation = 10.0

  private let session: Session
  private let part: SongOptions
  private let showsLyrics: Bool
  private var supply: SongSupply
  private var queue: PlayQueue
  private(set) var present: Item
  /// What follows, and the queue then.
  private var next: (item: Item, queue: PlayQueue)?
  /// Whether nothing follows, as far as is known.
  private var isLast = false
  /// How many songs have been made ready to be played.
  private var itemCount = 0
  /// Whether a file could not be read to its end.
  private var isDamaged = false
  /// What was asked for on the bus and only the program can do.
  private var wish: Console.Wish?
  private lazy var names = supply.entries.map(\.name)

  init(_ session: Session, _ start: SongStart, _ part: SongOptions, showsLyrics: Bool) {
    self.session = session
    self.part = part
    self.showsLyrics = showsLyrics
    (supply, queue) = (start.supply, start.queue)
    present = Item(start.file, supply.entries[queue.current], number: 0, showsLyrics: showsLyrics)
    session.tempo = part.tempo
    session.transposition = part.transposition
    session.countIn = part.countIn
  }

  var songCount: Int { supply.entries.count }
  var hasFailures: Bool { supply.hasFailures || isDamaged }

  /// Begins the present song.
  func play() throws {
    let song = present.file.song
    try session.play(song, from: part.start, to: part.end, loop: part.loop(of: song))
  }

  /// Follows what plays, and prepares what comes next. To be called now and then.
  func turn() {
    tellFailure()
    if let next, !session.isSongQueued, session.isPlaying { (present, queue, self.next) = (next.item, next.queue, nil) }
    guard next == nil, !isLast, session.isPlaying, remaining < Self.preparation else { return }
    var following = queue
    guard following.advance(), let file = supply.song(&following) else { return isLast = true }
    do {
      try session.queue(file.song, from: part.start, to: part.end, loop: part.loop(of: file.song))
      next = (item(file, following), following)
    } catch {
      // It is tried again, and told, when its turn comes.
      isLast = true
    }
  }

  /// Goes to the song that follows the present one; false where none does.
  func goOn() -> Bool {
    if let next {
      (present, queue) = (next.item, next.queue)
      forgetNext()
      return true
    }
    return queue.advance() && go(backwards: false)
  }

  /// Goes to the song before, or to the start of the first one.
  func goBack() -> Bool {
    _ = queue.retreat()
    return go(backwards: true)
  }

  /// Goes to a song of the list, or if it cannot be played to the first that can behind it.
  func go(to index: Int) -> Bool {
    queue.go(to: index)
    return go(backwards: false)
  }

  private func go(backwards: Bool) -> Bool {
    forgetNext()
    guard let file = supply.song(&queue, backwards: backwards) else { return false }
    present = item(file, queue)
    return true
  }

  private func tellFailure() {
    guard let failure = present.file.failure else { return }
    isDamaged = true
    Terminal.error(errorLine(failure))
  }

  private func forgetNext() { (next, isLast) = (nil, false) }

  private func item(_ file: SongFile, _ queue: PlayQueue) -> Item {
    itemCount += 1
    return Item(file, supply.entries[queue.current], number: itemCount, showsLyrics: showsLyrics)
  }

  /// How long the song will still be played, in seconds, loops left out.
  private var remaining: Double {
    ((part.end ?? present.file.song.duration) - session.position) / session.tempo
  }
}

// MARK: - The order

extension SongPlayer {
  private static let listLength = 5

  /// What plays now and what comes next, a line each.
  var listing: String {
    var rest = next?.queue ?? queue
    let upcoming = (next.map { [$0.item.entry] } ?? []) + rest.upcoming(Self.listLength).map { supply.entries[$0] }
    let shown = upcoming.prefix(Self.listLength)
    let left = rest.remaining + (next == nil ? 0 : 1) - shown.count
    let lines =
      shown.enumerated().map { "\($0 == 0 ? "next      " : "          ") \($1.name)" }
      + (left > 0 ? ["           and \(left) more"] : shown.isEmpty ? ["next       nothing"] : [])
    return (["playing    \(present.entry.name)"] + lines).joined(separator: "\n")
  }

  /// The list as clients of the control surface see it.
  var surfaceSongs: SurfaceSongs {
    SurfaceSongs(
      names: names, current: queue.current, title: present.track.title, isShuffled: isShuffled,
      isRepeating: isRepeating)
  }

  /// Whether the order is random; what is queued already stays the next.
  var isShuffled: Bool {
    get { queue.isShuffled }
    set {
      queue.shuffle(newValue)
      next?.queue.shuffle(newValue)
    }
  }

  /// Whether the list begins again after its last song.
  var isRepeating: Bool {
    get { queue.isRepeating }
    set {
      queue.repeat(newValue)
      next?.queue.repeat(newValue)
      isLast = false
    }
  }
}

// MARK: - What desktops see

extension SongPlayer: MediaTransport {
  var mediaState: MediaState {
    var state = session.mediaState
    state.track = present.track
    if state.loop == .none, isRepeating { state.loop = .list }
    state.isShuffled = isShuffled
    state.hasNext = next != nil || isRepeating || queue.remaining > 0
    // The first one is begun again.
    state.hasPrevious = true
    return state
  }

  func perform(_ command: MediaCommand) throws {
    switch command {
    case .next: wish = .nextSong
    case .previous: wish = .previousSong
    case .stop, .quit: wish = .quit
    case .shuffle(let isOn): isShuffled = isOn
    case .loop(let loop):
      try session.setLoop(loop == .track ? SongLoop(of: present.file.song) : nil)
      isRepeating = loop == .list
    case .play, .pause, .seek, .rate, .volume: try session.perform(command)
    }
  }

  /// What was asked for since the last call.
  func takeWish() -> Console.Wish? {
    defer { wish = nil }
    return wish
  }
}

extension SongPlayer.Item {
  fileprivate init(_ file: SongFile, _ entry: SongList.Entry, number: Int, showsLyrics: Bool) {
    self.init(
      file: file, entry: entry, lyrics: showsLyrics ? file.song.lyrics : Lyrics(),
      track: MediaState.Track(
        number: number, title: entry.title ?? file.title ?? FilePath.stem(of: file.path), artist: file.artist,
        album: file.album, genre: file.genre, comment: file.comment,
        path: realpath(entry.path.cPath, nil).map { path in
          defer { free(path) }
          return String(path: path)
        }, duration: file.song.duration))
  }
}
