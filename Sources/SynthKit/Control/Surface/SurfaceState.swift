import AudioGraph
import SynthALSA
import SynthDSP
import SynthInstruments
import SynthRealtime
import SynthText

/// Reads the state that clients see, section by section, and caches expensive lookups. [control thread]
struct SurfaceState {
  /// Devices and soundfonts are looked for again after so many nanoseconds, when a client asks for the whole state.
  private static let deviceAge: UInt64 = 5_000_000_000

  private let session: Session
  private var fonts: (paths: [String], presets: [ChannelPreset]) = ([], [])
  private var curve: (gains: [Decibels], points: [SIMD2<Double>])?
  private var instrumentChoices: [String]?
  private var devices: (found: [String], time: UInt64)?
  private var fontChoices: [String] = []
  private var learnedControls: (controls: [LearnedControl], shown: [SurfaceLearned]) = ([], [])

  init(_ session: Session) { self.session = session }

  private var synthesizer: Synthesizer { session.synthesizer }

  /// - Parameter isWhole: with what is no part of changes.
  mutating func sections(_ surface: ControlSurface, isWhole: Bool) -> [SurfaceSection] {
    if isWhole, devices.map({ HostClock.now > $0.time + Self.deviceAge }) ?? true {
      devices = (surface.control.devices, HostClock.now)
      fontChoices = surface.control.soundFonts.keys.sorted()
    }
    let (effects, control) = (synthesizer.effects, surface.control)
    let sections: [SurfaceSection] = [
      .channels(channels), fontSection, instruments(control), equalizer(control),
      effect(.reverb, control.reverb, of: ReverbType.allCases.map(\.name), effects.reverb, ["time", "level"]),
      effect(
        .chorus, control.chorus, of: ChorusType.allCases.map(\.name), effects.chorus,
        ["rate", "depth", "feedback", "level"]),
      effect(.delay, control.delay, of: DelayType.allCases.map(\.name), effects.delay, ["time", "feedback", "level"]),
      .inserts(inserts), .buses(buses), .gain(synthesizer.mainMixer.outputGain.value.decimal), song(surface),
      .songs(surface.host?.songs), microphone, metronome, recordings(control), .snapshots(session.controls.snapshots),
      learned(control), .keyboards(surface.host?.keyboards ?? []), output,
    ]
    return isWhole ? sections + [.position(session.surfacePosition), .effects(InsertKind.names)] : sections
  }

  /// The sections that are different; of channels those that are.
  static func changes(from before: [SurfaceSection], to present: [SurfaceSection]) -> [SurfaceSection] {
    zip(before, present).compactMap { before, present in
      guard before != present else { return nil }
      guard case (.channels(let old), .channels(let new)) = (before, present) else { return present }
      return .channels(new.enumerated().filter { $0 >= old.count || old[$0] != $1 }.map(\.element))
    }
  }

  // MARK: - Sound

  private var channels: [SurfaceChannel] {
    let assignments = synthesizer.instruments.configuration.assignments
    return synthesizer.channelInputs.indices.map { channel in
      let own = assignments.filter { $0.channel.map(Int.init) == channel }
      let played = own.isEmpty ? assignments.filter { $0.channel == nil } : own
      let names = played.map(\.instrument.name)
      return SurfaceChannel(
        channel: channel, preset: synthesizer.instruments.preset(ofChannel: channel),
        instrument: names.isEmpty ? "sampler" : names.joined(separator: "+"),
        settings: settings(of: .channel(channel)))
    }
  }

  private var buses: [SurfaceBus] {
    synthesizer.busListings.map { SurfaceBus(listing: $0, settings: settings(of: .bus($0.name))) }
  }

  /// What the control tree has below a strip, without its inserts.
  private func settings(of strip: Strip) -> [SurfaceSetting] {
    ControlSetting.all.flatMap { $0.nodes(of: strip, synthesizer) }.map { node in
      SurfaceSetting(name: String(node.path.split(separator: "/").last ?? ""), value: node.value)
    }
  }

  private var fontSection: SurfaceSection {
    mutating get {
      let sampler = synthesizer.instruments.configuration.sampler
      if sampler.soundFonts != fonts.paths { fonts = (sampler.soundFonts, Self.presets(of: sampler.soundFonts)) }
      return .fonts(
        SurfaceFonts(
          paths: sampler.soundFonts, engine: sampler.engine.rawValue, choices: fontChoices,
          bank: sampler.bank.map { $0.name ?? "" }, presets: fonts.presets))
    }
  }

  /// The last font is searched first.
  private static func presets(of paths: [String]) -> [ChannelPreset] {
    var names: [[Int]: String] = [:]
    for path in paths {
      for preset in (try? SoundFontPresets(path: path))?.all ?? [] {
        names[[preset.bank, preset.program]] = preset.name
      }
    }
    return names.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { place, name in
      ChannelPreset(name: name, bank: place[0], program: place[1])
    }
  }

  private mutating func instruments(_ control: SynthesizerControl) -> SurfaceSection {
    let choices = instrumentChoices ?? control.instrumentLibrary.choices
    instrumentChoices = choices
    let assigned = synthesizer.instruments.configuration.assignments.map(\.description)
    return .instruments(assigned: assigned, choices: choices)
  }

  private mutating func equalizer(_ control: SynthesizerControl) -> SurfaceSection {
    let equalizer = synthesizer.equalizer
    let present = equalizer.curve
    if curve?.gains != present.gains {
      curve = (present.gains, Self.points(of: present, sampleRate: synthesizer.instruments.sampleRate))
    }
    return .equalizer(
      SurfaceEqualizer(
        preset: control.preset, presets: equalizer.presets.map(\.name), gains: present.gains.map(\.value),
        curve: curve?.points ?? []))
  }

  /// Six points an octave, from 20 Hz on.
  private static func points(of curve: EqualizerCurve, sampleRate: Double) -> [SIMD2<Double>] {
    guard let design = try? EqualizerDesign(curve: curve, sampleRate: sampleRate) else { return [] }
    var (frequency, points) = (20.0, [SIMD2<Double>]())
    while frequency <= min(20480, sampleRate / 2) {
      points.append(SIMD2(frequency.rounded(), rounded(design.response(atHertz: frequency).value, to: 100)))
      frequency *= 1.122462048309373  // 2^(1/6)
    }
    return points
  }

  private func effect(
    _ effect: Synthesizer.Effect, _ type: String, of types: [String], _ node: any AudioNode, _ names: [String]
  ) -> SurfaceSection {
    let settings = names.compactMap { name in
      node.parameters.named(name, \.name).map { SurfaceSetting(name: name, value: $0.propertyValue) }
    }
    return .effect(effect, SurfaceEffect(type: type == "off" ? nil : type, types: types, settings: settings))
  }

  private var inserts: [SurfaceInsert] {
    synthesizer.stripsWithInserts.flatMap { strip in
      synthesizer.inserts(of: strip).enumerated().map { place, insert in
        SurfaceInsert(
          strip: strip, place: place, effect: insert.kind.name, node: insert.name,
          mix: insert.mix.value.decimal, isBypassed: insert.bypass.value != 0,
          sideChain: insert.sideChain)
      }
    }
  }
}

// MARK: - What plays

extension SurfaceState {
  private func song(_ surface: ControlSurface) -> SurfaceSection {
    .song(
      session.duration.map { duration in
        SurfaceSong(
          title: surface.host?.songs?.title ?? session.mediaState.track?.title ?? "", duration: duration,
          isPaused: session.isSongPaused, tempo: session.tempo, transposition: session.transposition,
          loop: session.loop, countIn: session.countIn)
      })
  }

  private var metronome: SurfaceSection {
    let metronome = session.metronome
    return .metronome(
      isOn: metronome.isOn.value != 0, level: metronome.level.value.decimal,
      tempo: metronome.tempo.value.decimal)
  }

  private var microphone: SurfaceSection {
    .microphone(
      synthesizer.microphone.map {
        SurfaceMicrophone(
          name: $0.name, isPresent: $0.isPresent, isMuted: $0.isMuted, level: $0.strip.gain.value.decimal)
      })
  }

  private func recordings(_ control: SynthesizerControl) -> SurfaceSection {
    let files = (control.recorder?.recordings ?? []).map {
      SurfaceRecording(path: $0.path, strip: $0.strip, seconds: Int($0.duration))
    }
    let saving = control.recorder?.saving.map { SurfaceSaving(path: $0.path, part: rounded($0.part, to: 100)) }
    return .recordings(files, saving: saving)
  }

  private mutating func learned(_ control: SynthesizerControl) -> SurfaceSection {
    let (present, waiting) = (session.controls.learned, session.controls.waiting)
    if present != learnedControls.controls { learnedControls = (present, present.map(control.shown)) }
    return .learned(learnedControls.shown, waiting: waiting.map { control.words(for: $0) })
  }

  private var output: SurfaceSection {
    let (output, latency) = (session.output, session.latency)
    let device = (output as? any ReportedOutput)?.reports.first?.present?.device
    return .output(
      SurfaceOutput(
        name: device ?? output.name, isPlaying: session.isPlaying,
        sampleRate: output.sampleRate, channelCount: output.channelCount, period: output.latency.period,
        buffer: output.latency.buffer,
        latency: rounded(latency.lowerBound, to: 1e5)...rounded(latency.upperBound, to: 1e5), xruns: session.xruns,
        devices: devices?.found ?? []))
  }
}

/// A number of whole hundredths, or other parts: what changes less is no change.
private func rounded(_ number: Double, to parts: Double) -> Double { (number * parts).rounded() / parts }
