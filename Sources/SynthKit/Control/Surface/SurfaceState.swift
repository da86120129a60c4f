import AudioGraph
import SynthALSA
import SynthDSP
import SynthInstruments
import SynthRealtime
import SynthText

/// The state of all that clients see, section by section. What is dear to find out is kept. [control thread]
struct SurfaceState {
  /// Devices and soundfonts are looked for again after so many nanoseconds, when a client asks for the whole state.
  private static let deviceAge: UInt64 = 5_000_000_000

  private let session: Session
  private var fonts: (paths: [String], presets: JSONValue) = ([], .array([]))
  private var curve: (gains: [Decibels], points: JSONValue)?
  private var instrumentChoices: [String]?
  private var songNames: (names: [String], json: JSONValue)?
  private var devices: (found: [String], time: UInt64)?
  private var fontChoices: [String] = []
  private var learnedControls: (controls: [LearnedControl], json: JSONValue) = ([], .array([]))

  init(_ session: Session) { self.session = session }

  private var synthesizer: Synthesizer { session.synthesizer }

  /// - Parameter isWhole: with what is no part of changes.
  mutating func sections(_ surface: ControlSurface, isWhole: Bool) -> [JSONValue.Field] {
    if isWhole, devices.map({ HostClock.now > $0.time + Self.deviceAge }) ?? true {
      devices = (surface.control.devices, HostClock.now)
      fontChoices = surface.control.soundFonts.keys.sorted()
    }
    let sections: [JSONValue.Field] = [
      ("channels", channels), ("fonts", fontSection), ("instruments", instruments(surface)),
      ("equalizer", equalizer(surface)), ("reverb", reverb(surface)), ("chorus", chorus(surface)),
      ("delay", delay(surface)), ("inserts", inserts),
      ("gain", .number(synthesizer.mainMixer.outputGain.value)), ("song", song(surface)), ("songs", songs(surface)),
      ("microphone", microphone),
      ("metronome", metronome), ("recordings", recordings(surface)), ("snapshots", snapshots),
      ("learned", learned(surface)),
      ("keyboards", .array((surface.host?.keyboards ?? []).map { .string($0) })), ("output", output),
    ]
    return isWhole ? sections + [("position", session.surfacePosition)] : sections
  }

  /// The sections that are otherwise; of channels those that are.
  static func changes(from before: [JSONValue.Field], to present: [JSONValue.Field]) -> [JSONValue.Field] {
    zip(before, present).compactMap { before, present in
      guard before.1 != present.1 else { return nil }
      guard present.0 == "channels", let old = before.1.list, let new = present.1.list else { return present }
      return (present.0, .array(new.enumerated().filter { $0 >= old.count || old[$0] != $1 }.map(\.element)))
    }
  }

  // MARK: - Sound

  private var channels: JSONValue {
    let assignments = synthesizer.instruments.configuration.assignments
    let strips = ControlSetting.all.filter { $0.path.indices.first == .channel && $0.path.indices.last != .insert }
    return .array(
      synthesizer.channelInputs.indices.map { channel in
        let own = assignments.filter { $0.channel.map(Int.init) == channel }
        let played = own.isEmpty ? assignments.filter { $0.channel == nil } : own
        let names = played.map(\.instrument.name)
        let number = TreeIndex.channel.word(channel)
        let settings = strips.flatMap { setting -> [JSONValue.Field] in
          let all = [number] + setting.path.indices.dropFirst().map(\.wildcard)
          let path = setting.path.path(all).split(separator: "/").map(String.init)
          return setting.path.matches(path).compactMap { setting.node($0, synthesizer, nil) }.map { node in
            (String(node.path.split(separator: "/").last ?? ""), node.value.json)
          }
        }
        return .object(
          [
            ("channel", .number(channel + 1)),
            ("preset", synthesizer.instruments.preset(ofChannel: channel).map(Self.preset) ?? .null),
            ("instrument", .string(names.isEmpty ? "sampler" : names.joined(separator: "+"))),
          ] + settings)
      })
  }

  private static func preset(_ preset: ChannelPreset) -> JSONValue {
    .object(
      [("name", .string(preset.name))] + (preset.bank.map { [("bank", .number($0))] } ?? [])
        + (preset.program.map { [("program", .number($0))] } ?? []))
  }

  private var fontSection: JSONValue {
    mutating get {
      let sampler = synthesizer.instruments.configuration.sampler
      if sampler.soundFonts != fonts.paths { fonts = (sampler.soundFonts, Self.presets(of: sampler.soundFonts)) }
      return .object([
        ("paths", .array(sampler.soundFonts.map { .string($0) })), ("engine", .string(sampler.engine.rawValue)),
        ("choices", .array(fontChoices.map { .string($0) })),
        ("bank", sampler.bank.map { .string($0.name ?? "") } ?? .null), ("presets", fonts.presets),
      ])
    }
  }

  /// The last font is searched first.
  private static func presets(of paths: [String]) -> JSONValue {
    var names: [[Int]: String] = [:]
    for path in paths {
      for preset in (try? SoundFontPresets(path: path))?.all ?? [] {
        names[[preset.bank, preset.program]] = preset.name
      }
    }
    return .array(
      names.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { place, name in
        .object([("bank", .number(place[0])), ("program", .number(place[1])), ("name", .string(name))])
      })
  }

  private mutating func instruments(_ surface: ControlSurface) -> JSONValue {
    let choices = instrumentChoices ?? surface.control.instrumentLibrary.choices
    instrumentChoices = choices
    let assigned = synthesizer.instruments.configuration.assignments.map(\.description)
    return .object([
      ("assigned", .array(assigned.map { .string($0) })), ("choices", .array(choices.map { .string($0) })),
    ])
  }

  private mutating func equalizer(_ surface: ControlSurface) -> JSONValue {
    let equalizer = synthesizer.equalizer
    let present = equalizer.curve
    if curve?.gains != present.gains {
      curve = (present.gains, Self.points(of: present, sampleRate: synthesizer.instruments.sampleRate))
    }
    let range = EqualizerCurve.gainRange
    return .object([
      ("preset", .string(surface.control.preset)),
      ("presets", .array(equalizer.presets.map { .string($0.name) })),
      ("frequencies", .array(EqualizerCurve.frequencies.map { .number($0) })),
      ("gains", .array(present.gains.map { .number($0.value) })),
      ("range", .array([.number(range.lowerBound.value), .number(range.upperBound.value)])),
      ("curve", curve?.points ?? .array([])),
    ])
  }

  /// Six points an octave, from 20 Hz on.
  private static func points(of curve: EqualizerCurve, sampleRate: Double) -> JSONValue {
    guard let design = try? EqualizerDesign(curve: curve, sampleRate: sampleRate) else { return .array([]) }
    var (frequency, points) = (20.0, [JSONValue]())
    while frequency <= min(20480, sampleRate / 2) {
      let level = design.response(atHertz: frequency).value
      points.append(.array([.number(frequency.rounded()), .number((level * 100).rounded() / 100)]))
      frequency *= 1.122462048309373  // 2^(1/6)
    }
    return .array(points)
  }

  private func reverb(_ surface: ControlSurface) -> JSONValue {
    let node = synthesizer.effects.reverb
    let type = surface.control.reverb
    return .object([
      ("type", type == "off" ? .null : .string(type)),
      ("types", .array(ReverbType.allCases.map { .string($0.name) })),
      ("time", .number(node.time.value)), ("level", .number(node.level.value)),
    ])
  }

  /// Of all strips, in the order in which sound passes them.
  private var inserts: JSONValue {
    .array(
      synthesizer.stripsWithInserts.flatMap { strip in
        synthesizer.inserts(of: strip).enumerated().map { number, insert in
          .object([
            ("strip", .string("\(strip)")), ("number", .number(number + 1)), ("effect", .string(insert.kind.name)),
            ("node", .string(insert.name)), ("mix", .number(insert.mix.value)),
            ("bypass", .bool(insert.bypass.value != 0)),
          ])
        }
      })
  }

  private func chorus(_ surface: ControlSurface) -> JSONValue {
    let node = synthesizer.effects.chorus
    let type = surface.control.chorus
    return .object([
      ("type", type == "off" ? .null : .string(type)),
      ("types", .array(ChorusType.allCases.map { .string($0.name) })), ("rate", .number(node.rate.value)),
      ("depth", .number(node.depth.value)), ("feedback", .number(node.feedback.value)),
      ("level", .number(node.level.value)),
    ])
  }

  private func delay(_ surface: ControlSurface) -> JSONValue {
    let node = synthesizer.effects.delay
    let type = DelayType.allCases[Int(synthesizer.effects.initialDelay.value)]
    return .object([
      ("type", surface.control.isOn(.delay) ? .string(type.name) : .null),
      ("types", .array(DelayType.allCases.map { .string($0.name) })), ("time", .number(node.time.value)),
      ("feedback", .number(node.feedback.value)), ("level", .number(node.level.value)),
    ])
  }
}

// MARK: - What plays

extension SurfaceState {
  private func song(_ surface: ControlSurface) -> JSONValue {
    guard let duration = session.duration else { return .null }
    let title = surface.host?.songs?.title ?? session.mediaState.track?.title ?? ""
    let loop = session.loop.map { JSONValue.array([.number($0.start), .number($0.end)]) }
    return .object([
      ("title", .string(title)), ("duration", .number((duration * 1000).rounded() / 1000)),
      ("paused", .bool(session.isSongPaused)), ("tempo", .number(session.tempo)),
      ("transpose", .number(session.transposition)), ("loop", loop ?? .null), ("countIn", .number(session.countIn)),
    ])
  }

  private mutating func songs(_ surface: ControlSurface) -> JSONValue {
    guard let songs = surface.host?.songs else { return .null }
    if songNames?.names != songs.names { songNames = (songs.names, .array(songs.names.map { .string($0) })) }
    return .object([
      ("names", songNames?.json ?? .array([])), ("current", .number(songs.current)),
      ("shuffle", .bool(songs.isShuffled)), ("repeat", .bool(songs.isRepeating)),
    ])
  }

  private var metronome: JSONValue {
    let metronome = session.metronome
    return .object([
      ("on", .bool(metronome.isOn.value != 0)), ("level", .number(metronome.level.value)),
      ("tempo", .number(metronome.tempo.value)),
    ])
  }

  private var microphone: JSONValue {
    guard let microphone = synthesizer.microphone else { return .null }
    return .object([
      ("name", .string(microphone.name)), ("present", .bool(microphone.isPresent)),
      ("mute", .bool(microphone.isMuted)), ("level", .number(microphone.strip.gain.value)),
    ])
  }

  private func recordings(_ surface: ControlSurface) -> JSONValue {
    let files = (surface.control.recorder?.recordings ?? []).map { file in
      JSONValue.object([("path", .string(file.path)), ("seconds", .number(Int(file.duration)))])
    }
    let saving = surface.control.recorder?.saving.map { file in
      JSONValue.object([("path", .string(file.path)), ("part", .number((file.part * 100).rounded() / 100))])
    }
    return .object([("files", .array(files)), ("saving", saving ?? .null)])
  }

  private var snapshots: JSONValue {
    .array(
      session.controls.snapshots.map { entry in
        .object([("name", .string(entry.name)), ("program", entry.program.map { .number(Int($0)) } ?? .null)])
      })
  }

  private mutating func learned(_ surface: ControlSurface) -> JSONValue {
    let (present, waiting) = (session.controls.learned, session.controls.waiting)
    if present != learnedControls.controls {
      learnedControls = (present, .array(present.map { surface.control.json(of: $0) }))
    }
    return .object([
      ("waiting", waiting.map { .string(surface.control.words(for: $0)) } ?? .null),
      ("controls", learnedControls.json),
    ])
  }

  private var output: JSONValue {
    let (output, latency) = (session.output, session.latency)
    let device = (output as? DeviceOutput)?.device
    return .object([
      ("name", .string(device?.outputs.first?.present?.device ?? output.name)), ("playing", .bool(session.isPlaying)),
      ("rate", .number(output.sampleRate)), ("channels", .number(output.channelCount)),
      ("period", .number(output.latency.period)), ("buffer", .number(output.latency.buffer)),
      ("latency", .array([latency.lowerBound, latency.upperBound].map { .number(($0 * 1e5).rounded() / 1e5) })),
      ("xruns", .number(session.xruns)), ("devices", .array((devices?.found ?? []).map { .string($0) })),
    ])
  }
}
