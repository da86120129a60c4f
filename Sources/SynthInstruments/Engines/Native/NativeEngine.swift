import AudioGraph
import SynthDSP
import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// Our own SoundFont engine. Voices follow FluidSynth's model; notes begin and end on their frame. [audio thread]
///
/// Voices of one channel lie side by side in batches of eight: each wave is read into a row, then the eight rows go
/// through the filters together, and are added to the channel's bus.
struct NativeEngine: SoundEngine, ~Copyable {
  var pool: VoicePool
  var programs: ChannelPrograms
  /// For each channel, which sources its voices have not followed yet.
  let changes: UnsafeMutablePointer<SourceChanges>
  let monoNotes: UnsafeMutablePointer<MonoNotes>
  var noteCount: UInt32 = 0
  /// Frames that were rendered.
  var time: Int64 = 0
  var lostVoiceCount = 0
  /// The notes whose voices were taken since the last quantum.
  let stolen: UnsafeMutablePointer<UInt32>
  var stolenCount = 0
  let sampleRate: Double
  /// Frames of the shortest note.
  let shortestNote: Int32
  private let gain: Double
  private let conversions: Conversions
  private let interpolator: Interpolator
  let batches: VoiceBatches

  init(_ table: PresetTable, _ loading: EngineLoading<SamplerInstrument>) {
    let configuration = loading.configuration.sampler
    pool = VoicePool(polyphony: min(configuration.polyphony, Self.mostVoices))
    programs = ChannelPrograms(table, loading.presetRequests)
    changes = .allocate(capacity: midiChannelCount)
    changes.initialize(repeating: SourceChanges(), count: midiChannelCount)
    monoNotes = .allocate(capacity: midiChannelCount)
    monoNotes.initialize(repeating: MonoNotes(), count: midiChannelCount)
    stolen = .allocate(capacity: pool.polyphony)
    stolen.initialize(repeating: 0, count: pool.polyphony)
    sampleRate = loading.sampleRate
    // FluidSynth's default: 10 ms.
    shortestNote = Int32(loading.sampleRate / 100)
    gain = max(configuration.linearGain, 1e-7)
    conversions = ConversionTables.shared.conversions
    interpolator = Interpolator(configuration.interpolation)
    batches = VoiceBatches(capacity: pool.bankCount, cores: configuration.cores)
    programs.reset(Performance())
  }

  deinit {
    changes.deallocate()
    monoNotes.deallocate()
    stolen.deallocate()
    batches.deallocate()
  }

  /// The most voices that may sound at once.
  static var mostVoices: Int { 4096 }

  static let entry: RenderFunction = { EngineCall.at($1).perform(on: $0, as: NativeEngine.self) }

  @_noLocks
  func context(_ performance: UnsafePointer<Performance>) -> VoiceContext {
    VoiceContext(performance, conversions, sampleRate: sampleRate, gain: gain)
  }

  // MARK: - Rendering

  @_noLocks
  mutating func render(_ quantum: inout EngineQuantum) {
    if programs.hasNewPresets { quantum.hasNewPresets = true }
    programs.hasNewPresets = false
    quantum.voiceCount &+= pool.voiceCount
    quantum.lostVoiceCount &+= lostVoiceCount
    lostVoiceCount = 0
    time &+= Int64(renderQuantum)
    record(quantum)
    guard pool.soundingCount > 0 else { return followChanges() }
    let context = context(quantum.performance)
    for channel in 0..<min(midiChannelCount, quantum.context.outputBusCount) where pool.count(ofChannel: channel) > 0 {
      modulate(channel, context)
      let bus = quantum.context.output(channel)
      let count = (pool.count(ofChannel: channel) &+ VoicePool.laneCount &- 1) / VoicePool.laneCount
      for batch in 0..<count { batches.add(channel, batch, bus) }
      bus.isSilent = false
    }
    let batches = batches
    withUnsafeMutablePointer(to: &self) { batches.render($0, context) }
    for channel in 0..<midiChannelCount where pool.count(ofChannel: channel) > 0 { removeFinished(channel) }
    followChanges()
    if pool.soundingCount > 0 { quantum.isSilent = false }
  }

  /// Tells which notes sound, and which were taken.
  @_noLocks
  private mutating func record(_ quantum: EngineQuantum) {
    if quantum.isRecording {
      for index in 0..<stolenCount { quantum.stole(stolen[index]) }
      var place = pool.next(from: 0)
      while let found = place {
        quantum.sounds(pool.voices[found].number, from: Int(pool.voices[found].startFrame))
        place = pool.next(from: found &+ 1)
      }
    }
    stolenCount = 0
  }

  /// Lets the voices of a channel follow what has changed.
  @_noLocks
  private func modulate(_ channel: Int, _ context: VoiceContext) {
    guard !changes[channel].isEmpty else { return }
    for lane in 0..<pool.count(ofChannel: channel) {
      (pool.voices + pool.place(channel, lane: lane)).pointee.modulate(changes[channel], context)
    }
  }

  @_noLocks
  private func followChanges() {
    for channel in 0..<midiChannelCount { changes[channel] = SourceChanges() }
  }

  /// Adds a quantum of up to eight voices of a channel to its bus.
  ///
  /// - Parameter scratch: eight rows, and the window of a wave.
  @_noLocks
  func render(_ batch: VoiceBatch, _ context: VoiceContext, _ scratch: UnsafeMutablePointer<Float>) {
    let first = batch.number &* VoicePool.laneCount
    let count = min(pool.count(ofChannel: batch.channel) &- first, VoicePool.laneCount)
    let bank = pool.bank(batch.channel, batch.number)
    var courses = BatchCourses()
    for lane in 0..<count {
      let voice = pool.voices + pool.place(batch.channel, lane: first &+ lane)
      voice.pointee.render(
        into: scratch + lane &* renderQuantum, &courses.lanes[lane], interpolator,
        window: scratch + VoicePool.laneCount &* renderQuantum, context)
      voice.pointee.aimFilter(bank, lane, context)
    }
    courses.process(scratch, bank, laneCount: count)
    for lane in 0..<count where courses.lanes[lane].isHeard {
      let place = pool.place(batch.channel, lane: first &+ lane)
      let gain = pool.gains + place
      let target = pool.voices[place].gainTarget
      gain.pointee.aim(left: Float(target.x), right: Float(target.y), frames: renderQuantum)
      gain.pointee.add(
        scratch + lane &* renderQuantum, toLeft: batch.left, right: batch.right, count: renderQuantum)
    }
  }

  @_noLocks
  private mutating func removeFinished(_ channel: Int) {
    var lane = pool.count(ofChannel: channel)
    while lane > 0 {
      lane &-= 1
      let place = pool.place(channel, lane: lane)
      if pool.voices[place].isFinished { pool.remove(place) }
    }
  }

  // MARK: - Presets

  /// Places in the table from 1 on.
  @_noLocks
  func preset(ofChannel channel: Int) -> UInt32 { UInt32(truncatingIfNeeded: programs.playing(channel) &+ 1) }
}
