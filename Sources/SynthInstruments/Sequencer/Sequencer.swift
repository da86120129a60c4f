import AudioGraph
import SynthMIDI
import SynthRealtime

/// Plays a `MusicSequence` through racks of an engine and other destinations, and lets it be edited meanwhile.
///
///     let sequencer = try Sequencer(MusicSequence(file), playing: synthesizer.instruments)
///     try session.start()
///     try sequencer.start()
///     sequencer.tracks[3].isMuted = true
///     try sequencer.edit { try $0.addNote(60, at: 16, for: 1) }
///     sequencer.position = 32
///
/// Places are beats: quarter notes from the start of the song. The program runs the engine that renders the
/// destinations; where it stands still, so does the song. Destinations keep time with each other to the frame where
/// they have one sample rate, else to a quantum.
///
/// What a destination plays is a song like any other, so `Session.position` and its like tell of it. A destination
/// plays the last song that it was given, by a session or a sequencer. Where only presets that are used are loaded,
/// `instruments.load` loads those of `Song(sequence)`.
public final class Sequencer: Sendable {
  struct State: Sendable {
    var sequence: MusicSequence
    var tracks: [SequencerTrack]
    var rendition: SequencerRendition
    var players: [ObjectIdentifier: Player] = [:]
    var transport = SequencerState.stopped
    /// Where it begins if it is stopped.
    var startBeat = 0.0
    var rate = 1.0
    var loop: SequencerLoop?
    var hasSounded = false
    /// From when on the last change holds, on the clock of the sequencer.
    var changeTime = Int64.min / 2
    var callback: (@Sendable (SequencerCue) -> Void)?
    var cues: [UInt32: SequencerCue] = [:]
    var nextCue: UInt32 = 0
    var caller: MIDISinkDestination?
    var pump: SequencerPump?
  }

  /// A destination, and what it plays.
  struct Player: Sendable {
    /// What it is known to play.
    var base: SequencerRendition.Part
    /// What was sent last.
    var sent: SequencerRendition.Part
    /// The number of the song.
    let number: Int
    /// Where it begins if it has not begun.
    let startBeat: Double
  }

  let state: CheckedMutex<State>
  /// Lets edits take turns.
  private let edits = CheckedMutex(())
  /// What tells the time.
  let clock: any SequencerDestination

  /// A sequencer that does not play yet. [control thread]
  ///
  /// - Parameters:
  ///   - sequence: tracks that are separate songs (format 2) are put behind one another.
  ///   - destination: plays all tracks until told otherwise, and tells the time: a node of the engine.
  /// - Throws: for a sequence that is too large to be played.
  public init(
    _ sequence: MusicSequence, playing destination: any SequencerDestination
  ) throws(MusicSequenceError) {
    let sequence = try Self.playable(sequence)
    let tracks = sequence.tracks.map { _ in SequencerTrack(destination) }
    let rendition = try SequencerRendition(sequence, tracks, clock: destination, caller: nil, firstCue: 0, at: 0)
    clock = destination
    state = CheckedMutex(State(sequence: sequence, tracks: tracks, rendition: rendition))
  }

  deinit {
    stop()
    state.withLock { $0.pump }?.end()
  }

  /// What is played. [control thread]
  public var sequence: MusicSequence { state.withLock { $0.sequence } }

  /// Edits what is played, also while it plays: from the next quantum of an engine that is rendered by hand on, else
  /// within some slices of the output. [control thread]
  ///
  /// The song stays at its beat. Notes that sound go on if the sequence still holds them there, and end if not;
  /// channels are told what they would have been told before, System Exclusive messages apart. Tracks keep their
  /// settings by their index; new ones are played where the first one is.
  ///
  /// - Parameter change: may ask the sequencer anything, but not edit it.
  /// - Throws: what the change throws, or for a sequence that is too large; it is then as it was.
  public func edit(_ change: (inout MusicSequence) throws -> Void) throws {
    // The change may ask the sequencer where it is.
    try edits.withLock { _ in
      var sequence = sequence
      try change(&sequence)
      try replace(try Self.playable(sequence))
    }
  }

  private func replace(_ sequence: MusicSequence) throws(MusicSequenceError) {
    try state.withLock { state throws(MusicSequenceError) in
      var tracks = Array(state.tracks.prefix(sequence.tracks.count))
      while tracks.count < sequence.tracks.count {
        tracks.append(SequencerTrack(state.tracks.first?.destination ?? clock))
      }
      try render(&state, sequence, tracks)
    }
  }

  /// How each track is played: where, whether it is heard, how much later. Setting it is an edit. [control thread]
  ///
  /// As many as the sequence has tracks; more are left out.
  public var tracks: [SequencerTrack] {
    get { state.withLock { $0.tracks } }
    set {
      state.withLock { state in
        let tracks = Array(newValue.prefix(state.tracks.count)) + state.tracks.dropFirst(newValue.count)
        // Parts of a sequence that can be played can be played.
        try? render(&state, state.sequence, tracks)
      }
    }
  }

  /// Tells the program of markers, cue points, lyrics and other texts and of bytes for programs, as they are rendered:
  /// one call at a time, on a thread for it, some milliseconds late. Nil for no calls. [control thread]
  ///
  /// The callback may use the sequencer, which it has to hold weakly.
  public func setUserCallback(_ callback: (@Sendable (SequencerCue) -> Void)?) {
    state.withLock { state in
      state.callback = callback
      guard callback != nil, state.caller == nil else { return }
      let caller = SequencerCaller { [weak self] number in
        let called = self?.state.withLock { state in state.cues[number].map { ($0, state.callback) } }
        if let (cue, callback) = called { callback?(cue) }
      }
      state.caller = MIDISinkDestination(caller, sampleRate: clock.frameRate)
      try? render(&state, state.sequence, state.tracks)
    }
  }

  /// Beats to seconds and back, as it is played at a rate of 1. [control thread]
  public var tempoMap: TempoMap { state.withLock { $0.rendition.tempoMap } }

  /// In beats, with the offsets, lengths and loops of the tracks; where one is repeated without end, 100,000 or what
  /// `SequencerTrack.loop` says. [control thread]
  public var duration: Double { state.withLock { $0.rendition.duration } }

  private static func playable(_ sequence: MusicSequence) throws(MusicSequenceError) -> MusicSequence {
    guard sequence.format == .independent else { return sequence }
    return MusicSequence(try MIDIFile(sequence, format: .simultaneous))
  }

  /// Makes what is played, and goes on with it.
  ///
  /// - Parameter beat: from where on loops without end have to be there; nil for where it is.
  func render(
    _ state: inout State, _ sequence: MusicSequence, _ tracks: [SequencerTrack], from beat: Double? = nil
  ) throws(MusicSequenceError) {
    let rendition = try SequencerRendition(
      sequence, tracks, clock: clock, caller: state.caller, firstCue: state.nextCue, at: beat ?? self.beat(state))
    // The former ones may be under way still.
    state.cues = state.rendition.cues.merging(rendition.cues) { $1 }
    state.nextCue = (state.nextCue &+ UInt32(rendition.cues.count)) & 0x7FF_FFFF
    (state.sequence, state.tracks, state.rendition) = (sequence, tracks, rendition)
    if state.transport != .stopped { change(&state) }
  }
}

/// Calls a function with the numbers of cues.
private final class SequencerCaller: MIDISink {
  private let call: @Sendable (UInt32) -> Void

  init(_ call: @escaping @Sendable (UInt32) -> Void) { self.call = call }

  func receive(_ event: MIDISourceEvent) {
    guard case .received(.message(let message), _, _) = event, let number = message.cueNumber else { return }
    call(number)
  }
}
