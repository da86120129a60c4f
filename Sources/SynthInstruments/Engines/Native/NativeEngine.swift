import AudioGraph
import SynthDSP
import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// Our own SoundFont engine. Voices follow FluidSynth's model; notes begin and end on their frame. [audio thread]
///
/// All voices lie side by side in batches: each wave is read into a row, then the rows go through the
/// filters together, and are added to the buses of their channels.
struct NativeEngine: SoundEngine, ~Copyable {
  var pool: VoicePool
  var programs: ChannelPrograms
  /// For each channel, which sources its voices have not followed yet.
  let changes: UnsafeMutablePointer<SourceChanges>
  var keys = ChannelKeys()
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
  /// As many as are mixed at a time.
  let sendGains: UnsafeMutablePointer<StereoGain>
  let batches: VoiceBatches
  /// Of the quanta that were rendered at once, how many, and how many have been given.
  var renderedQuanta = 0
  var givenQuanta = 0

  init(_ table: PresetTable, _ loading: EngineLoading<SamplerInstrument>) {
    let configuration = loading.configuration.sampler
    pool = VoicePool(polyphony: min(configuration.polyphony, Self.mostVoices))
    programs = ChannelPrograms(table, loading.presetRequests)
    changes = .allocate(capacity: midiChannelCount)
    changes.initialize(repeating: SourceChanges(), count: midiChannelCount)
    stolen = .allocate(capacity: pool.polyphony)
    stolen.initialize(repeating: 0, count: pool.polyphony)
    sampleRate = loading.sampleRate
    // FluidSynth's default: 10 ms.
    shortestNote = Int32(loading.sampleRate / 100)
    gain = max(configuration.linearGain, 1e-7)
    conversions = ConversionTables.shared.conversions
    interpolator = Interpolator(configuration.interpolation)
    sendGains = .allocate(capacity: RowMix.capacity)
    batches = VoiceBatches(bankCount: pool.bankCount, cores: configuration.cores)
    programs.reset(Performance())
  }

  deinit {
    changes.deallocate()
    stolen.deallocate()
    sendGains.deallocate()
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
    quantum.stolenVoiceCount &+= max(stolenCount &- lostVoiceCount, 0)
    lostVoiceCount = 0
    time &+= Int64(renderQuantum)
    record(quantum)
    guard pool.soundingCount > 0 else {
      givenQuanta = renderedQuanta
      return followChanges()
    }
    if givenQuanta >= renderedQuanta { renderVoices(quantum) }
    for channel in 0..<min(midiChannelCount, quantum.context.outputBusCount) where pool.count(ofChannel: channel) > 0 {
      let bus = quantum.context.output(channel)
      if quantum.performance.pointee.drumKeysHaveSends { correctSends(channel, of: bus, quantum.corrections) }
      mix(channel, into: bus)
    }
    // Not before, because lanes change places.
    for channel in 0..<midiChannelCount where pool.count(ofChannel: channel) > 0 { removeFinished(channel) }
    givenQuanta &+= 1
    if pool.soundingCount > 0 { quantum.isSilent = false }
  }

  /// Renders all voices, up to the next event if that is known.
  @_noLocks
  private mutating func renderVoices(_ quantum: EngineQuantum) {
    let context = context(quantum.performance)
    for channel in 0..<midiChannelCount where pool.count(ofChannel: channel) > 0 { modulate(channel, context) }
    followChanges()
    let (batches, count) = (batches, pool.soundingCount)
    renderedQuanta = min(quantum.calmLength, batches.mostQuanta)
    givenQuanta = 0
    let quantumCount = renderedQuanta
    withUnsafeMutablePointer(to: &self) {
      batches.render(voiceCount: count, quantumCount: quantumCount, of: $0, context)
    }
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
    for rank in 0..<pool.count(ofChannel: channel) {
      (pool.voices + pool.place(channel, rank: rank)).pointee.modulate(changes[channel], context)
    }
  }

  @_noLocks
  private func followChanges() {
    for channel in 0..<midiChannelCount { changes[channel] = SourceChanges() }
  }

  /// Renders the rows of the voices of a batch in a quantum.
  @_noLocks
  func render(batch: Int, quantum: Int, _ scratch: VoiceScratch, _ context: VoiceContext) {
    let first = batch &* batches.size
    let count = min(pool.soundingCount &- first, batches.size)
    let rows = batches.row(first, inQuantum: quantum)
    let banks = pool.banks + first / VoicePool.laneCount
    for lane in 0..<count {
      let voice = pool.voices + pool.place(lane: first &+ lane)
      let course = scratch.courses + lane
      course.pointee.begin()
      if quantum == 0 {
        voice.pointee.row = first &+ lane
        voice.pointee.heardQuanta = 0
      } else if voice.pointee.isFinished {
        (rows + lane &* renderQuantum).update(repeating: 0, count: renderQuantum)
        continue
      }
      voice.pointee.render(
        into: rows + lane &* renderQuantum, &course.pointee, interpolator, window: scratch.window, context)
      voice.pointee.lastQuantum = quantum
      guard course.pointee.isHeard else { continue }
      voice.pointee.noteHeard(inQuantum: quantum)
      voice.pointee.aimFilter(banks + lane / VoicePool.laneCount, lane % VoicePool.laneCount, context)
    }
    BatchCourses(scratch.courses, laneCount: count).process(rows, banks)
  }

  /// Adds the voices of a channel to its bus.
  @_noLocks
  private func mix(_ channel: Int, into bus: Bus) {
    var mix = RowMix()
    for rank in 0..<pool.count(ofChannel: channel) {
      let place = pool.place(channel, rank: rank)
      if rank > 0, rank % RowMix.capacity == 0 { mix.add(toLeft: bus[0], right: bus[1]) }
      guard pool.voices[place].isHeard(inQuantum: givenQuanta) else {
        pool.gains[place] = pool.voices[place].fullGain
        continue
      }
      let target = pool.voices[place].gainTarget
      (pool.gains + place).pointee.aim(left: Float(target.x), right: Float(target.y), frames: renderQuantum)
      mix.append(batches.row(pool.voices[place].row, inQuantum: givenQuanta), pool.gains + place)
    }
    mix.add(toLeft: bus[0], right: bus[1])
    bus.isSilent = false
  }

  @_noLocks
  private mutating func removeFinished(_ channel: Int) {
    var rank = pool.count(ofChannel: channel)
    while rank > 0 {
      rank &-= 1
      let place = pool.place(channel, rank: rank)
      if pool.voices[place].isFinished, pool.voices[place].lastQuantum <= givenQuanta { pool.remove(place) }
    }
  }

  // MARK: - Presets

  /// Places in the table from 1 on.
  @_noLocks
  func preset(ofChannel channel: Int) -> UInt32 { UInt32(truncatingIfNeeded: programs.playing(channel) &+ 1) }
}
