import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI
import SynthText

extension SynthesizerControl {
  mutating func perform(_ command: SnapshotCommand) throws(SynthesizerCommandError) -> SnapshotAnswer {
    switch command {
    case .save(let name):
      let entry = try snapshots.save(snapshot, as: name)
      listSnapshots()
      return .saved(entry)
    case .recall(let name):
      try snapshots.check(name)
      do throws(ResourceError) {
        return .recalled(name, lost: recall(try snapshots.snapshot(named: name)))
      } catch {
        throw .refused(error.line(of: "snapshot", \.description))
      }
    case .delete(let name):
      try snapshots.check(name)
      try snapshots.delete(name)
      listSnapshots()
      return .deleted(name)
    case .list:
      let (entries, faults) = snapshots.all()
      return .list(entries, faults: faults.map { $0.line(of: "snapshot", \.description) })
    }
  }

  /// Lets program changes of keyboards recall the snapshots there are, and clients see them.
  func listSnapshots() { session?.controls.snapshots = snapshots.all().entries }

  // MARK: - Taking

  /// How everything is set now. [control thread]
  public var snapshot: SynthesizerSnapshot {
    var snapshot = SynthesizerSnapshot()
    let rack = synthesizer.instruments
    snapshot.soundFonts = rack.configuration.sampler.soundFonts
    snapshot.instruments = rack.configuration.assignments.map(\.description)
    snapshot.programs = (0..<rack.outputBusCount).compactMap { channel in
      guard let preset = rack.preset(ofChannel: channel), let bank = preset.bank, let program = preset.program else {
        return nil
      }
      return SynthesizerSnapshot.Program(channel: UInt8(channel), bank: bank, program: UInt8(program))
    }
    snapshot.preset = preset
    snapshot.bands = synthesizer.equalizer.curve.gains.map(\.value)
    (snapshot.reverb, snapshot.chorus, snapshot.delay) = (reverb, chorus, delay)
    snapshot.scene = synthesizer.scene
    snapshot.nodes = parameterNodes.map { node in
      SynthesizerSnapshot.Node(name: node.name, values: node.parameters.map { ($0.name, $0.value) })
    }
    if let session {
      (snapshot.tempo, snapshot.transposition) = (session.tempo, session.transposition)
      (snapshot.countIn, snapshot.routes) = (session.countIn, session.routes.texts)
    }
    snapshot.learned = session?.controls.learned
    let tracks = rack.events.tracks
    (snapshot.mutedTracks, snapshot.soloedTracks) = (tracks.muted, tracks.soloed)
    return snapshot
  }

  /// The nodes whose parameters are kept: those of the equalizer are its curve, those of inserts are the scene's.
  private var parameterNodes: [any AudioNode] {
    let inserts = Set(
      synthesizer.stripsWithInserts.flatMap(synthesizer.inserts).flatMap(\.nodes).map { ObjectIdentifier($0) })
    return synthesizer.engine.graph.nodes.filter {
      $0 !== synthesizer.equalizer && !$0.parameters.isEmpty && !inserts.contains(ObjectIdentifier($0))
    }
  }

  // MARK: - Recalling

  /// Sets everything as it was. Levels are ramped; where fonts or instruments change, notes that sound are finished by
  /// those they began on. [control thread]
  ///
  /// - Returns: a line for each thing that cannot be had any more; the rest is recalled.
  public mutating func recall(_ snapshot: SynthesizerSnapshot) -> [String] {
    var lost: [String] = []
    let isExchanged = recallRack(snapshot, &lost)
    recallPrograms(snapshot.programs ?? [], isExchanged)
    recallPreset(snapshot, &lost)
    recallEffect("/reverb", snapshot.reverb, &lost)
    recallEffect("/chorus", snapshot.chorus, &lost)
    recallEffect("/delay", snapshot.delay, &lost)
    recallScene(snapshot.scene, &lost)
    for node in snapshot.nodes ?? [] { recall(node, &lost) }
    recallSong(snapshot, &lost)
    if let learned = snapshot.learned, learned != session?.controls.learned { lost += set(learned, isChange: true) }
    return lost
  }

  /// - Returns: whether other instruments play.
  private func recallRack(_ snapshot: SynthesizerSnapshot, _ lost: inout [String]) -> Bool {
    let present = synthesizer.instruments.configuration
    var (fonts, assignments) = (present.sampler.soundFonts, present.assignments)
    if let wanted = snapshot.soundFonts, wanted != fonts {
      let there = wanted.filter(ResourceFile.exists)
      lost += wanted.filter { !there.contains($0) }.map { "soundfont \($0): no such file" }
      if !there.isEmpty || wanted.isEmpty { fonts = there }
    }
    if let wanted = snapshot.instruments, wanted != assignments.map(\.description) {
      assignments = []
      for text in wanted {
        do {
          assignments += try InstrumentChoice(parsing: text).assignments(from: instrumentLibrary)
        } catch {
          lost.append("instrument \(text): \(error)")
        }
      }
    }
    let isSame = assignments.map(\.description) == present.assignments.map(\.description)
    let portCount = (snapshot.programs ?? []).reduce(present.portCount) { max($0, Int($1.channel) / 16 + 1) }
    guard fonts != present.sampler.soundFonts || !isSame || portCount > present.portCount else { return false }
    defer { try? synthesizer.connectPorts() }
    var configuration = present
    configuration.portCount = portCount
    (configuration.sampler.soundFonts, configuration.assignments) = (fonts, assignments)
    do {
      try exchange(configuration)
      return true
    } catch {
      lost.append("\(error)")
    }
    // A font that cannot be loaded does not keep the instruments from being recalled.
    configuration.sampler.soundFonts = present.sampler.soundFonts
    return !isSame && (try? exchange(configuration)) != nil
  }

  private func recallPrograms(_ programs: [SynthesizerSnapshot.Program], _ isExchanged: Bool) {
    for wanted in programs {
      let present = synthesizer.instruments.preset(ofChannel: Int(wanted.channel))
      if !isExchanged, present?.bank == wanted.bank, present?.program == Int(wanted.program) { continue }
      // Drums are chosen by their channel. While an audio file plays, there are no channels.
      _ = try? choose(wanted.program, wanted.bank < 128 ? UInt8(wanted.bank) : nil, on: wanted.channel)
    }
  }

  private mutating func recallPreset(_ snapshot: SynthesizerSnapshot, _ lost: inout [String]) {
    guard let bands = snapshot.bands else {
      do {
        if let name = snapshot.preset { _ = try perform(.preset(name)) }
      } catch {
        lost.append("\(error)")
      }
      return
    }
    guard let curve = try? EqualizerCurve(gains: bands.map { Decibels($0) }) else {
      return lost.append("bands: give ten gains of -24 to 24 dB")
    }
    let name = snapshot.preset ?? EqualizerPreset.flat.name
    if let preset = presets.first(where: { $0.name == name && $0.curve == curve }) {
      set(preset)
    } else {
      set(EqualizerPreset(name: name, title: name, description: "As it was", curve: curve))
    }
  }

  private func recallEffect(_ path: String, _ type: String?, _ lost: inout [String]) {
    guard let type else { return }
    do throws(SynthesizerCommandError) {
      // Setting a type again would set its time and the rest for a moment.
      for node in try tree.nodes(at: path) where node.value.text != type { try node.set(type) }
    } catch {
      lost.append("\(error)")
    }
  }

  private func recallScene(_ scene: Scene?, _ lost: inout [String]) {
    do {
      if let scene, scene != synthesizer.scene { try synthesizer.apply(scene) }
    } catch {
      lost.append("\(error)")
    }
  }

  private func recall(_ wanted: SynthesizerSnapshot.Node, _ lost: inout [String]) {
    guard let node = parameterNodes.first(where: { $0.name == wanted.name }) else {
      // An effect that was off then and has no place now is as it was.
      let isEffect = Synthesizer.Effect.allCases.contains { "\($0)" == wanted.name }
      if !isEffect { lost.append("\(wanted.name): there is no such node now") }
      return
    }
    let parameters = Dictionary(node.parameters.map { ($0.name, $0) }) { first, _ in first }
    let unknown = wanted.values.filter { parameters[$0.name] == nil }.map(\.name)
    if !unknown.isEmpty { lost.append("\(wanted.name): it has no \(unknown.joined(separator: ", ")) now") }
    for (name, value) in wanted.values {
      if let parameter = parameters[name], parameter.value != value { parameter.value = value }
    }
  }

  private func recallSong(_ snapshot: SynthesizerSnapshot, _ lost: inout [String]) {
    if let session {
      if let tempo = snapshot.tempo { session.tempo = tempo }
      if let semitones = snapshot.transposition { session.transposition = semitones }
      if let bars = snapshot.countIn { session.countIn = bars }
      var routes = SongRoutes()
      let unknown = (snapshot.routes ?? []).filter { !routes.add(parsing: $0) }
      lost += unknown.map { "route \($0): it is no route" }
      do {
        if snapshot.routes != nil, routes != session.routes { try session.setRoutes(routes) }
      } catch {
        lost.append("\(error)")
      }
    }
    let tracks = synthesizer.instruments.events.tracks
    if let muted = snapshot.mutedTracks, muted != tracks.muted {
      tracks.mute(nil, false)
      for track in muted { tracks.mute(track, true) }
    }
    if let soloed = snapshot.soloedTracks, soloed != tracks.soloed {
      tracks.solo(nil, false)
      for track in soloed { tracks.solo(track, true) }
    }
  }
}
