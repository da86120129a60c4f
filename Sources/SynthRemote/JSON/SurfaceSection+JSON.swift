import SynthDSP
import SynthKit
import SynthText

// The sections of the state as clients get them: `docs/control.md` has the members.

extension SurfaceSection {
  /// Its name, and what it is.
  var member: (String, JSONValue) {
    switch self {
    case .channels(let channels): ("channels", .array(channels.map(\.json)))
    case .fonts(let fonts): ("fonts", fonts.json)
    case .instruments(let assigned, let choices):
      ("instruments", .object([("assigned", .texts(assigned)), ("choices", .texts(choices))]))
    case .equalizer(let equalizer): ("equalizer", equalizer.json)
    case .effect(let effect, let present): ("\(effect)", present.json)
    case .inserts(let inserts): ("inserts", .array(inserts.map(\.json)))
    case .buses(let buses): ("buses", .array(buses.map(\.json)))
    case .gain(let level): ("gain", .number(level))
    case .song(let song): ("song", song?.json ?? .null)
    case .songs(let songs): ("songs", songs?.json ?? .null)
    case .microphone(let microphone): ("microphone", microphone?.json ?? .null)
    case .metronome(let isOn, let level, let tempo):
      ("metronome", .object([("on", .bool(isOn)), ("level", .number(level)), ("tempo", .number(tempo))]))
    case .recordings(let files, let saving):
      ("recordings", .object([("files", .array(files.map(\.json))), ("saving", saving?.json ?? .null)]))
    case .snapshots(let snapshots): ("snapshots", .array(snapshots.map(\.json)))
    case .learned(let controls, let waiting):
      ("learned", .object([("waiting", .text(waiting)), ("controls", .array(controls.map(\.json)))]))
    case .keyboards(let names): ("keyboards", .texts(names))
    case .output(let output): ("output", output.json)
    case .position(let seconds): ("position", seconds.map { .thousandths($0) } ?? .null)
    case .effects(let names): ("effects", .texts(names))
    case .log(let entries): ("log", .array(entries.map(\.json)))
    }
  }
}

extension [SurfaceSetting] { fileprivate var members: [(String, JSONValue)] { map { ($0.name, $0.value.json) } } }

extension ChannelPreset {
  fileprivate var members: [(String, JSONValue)] {
    (bank.map { [("bank", .number($0))] } ?? []) + (program.map { [("program", .number($0))] } ?? [])
  }
}

extension SurfaceChannel {
  fileprivate var json: JSONValue {
    .object(
      [
        ("channel", .number(channel + 1)),
        ("preset", preset.map { .object([("name", .string($0.name))] + $0.members) } ?? .null),
        ("instrument", .string(instrument)),
      ] + settings.members)
  }
}

extension SurfaceFonts {
  fileprivate var json: JSONValue {
    .object([
      ("paths", .texts(paths)), ("engine", .string(engine)), ("choices", .texts(choices)), ("bank", .text(bank)),
      ("presets", .array(presets.map { .object($0.members + [("name", .string($0.name))]) })),
    ])
  }
}

extension SurfaceEqualizer {
  fileprivate var json: JSONValue {
    let range = EqualizerCurve.gainRange
    return .object([
      ("preset", .string(preset)), ("presets", .texts(presets)),
      ("frequencies", .array(EqualizerCurve.frequencies.map { .number($0) })),
      ("gains", .array(gains.map { .number($0) })),
      ("range", .array([.number(range.lowerBound.value), .number(range.upperBound.value)])),
      ("curve", .array(curve.map { .pair($0) })),
    ])
  }
}

extension SurfaceEffect {
  fileprivate var json: JSONValue { .object([("type", .text(type)), ("types", .texts(types))] + settings.members) }
}

extension SurfaceInsert {
  fileprivate var json: JSONValue {
    .object([
      ("strip", .string("\(strip)")), ("number", .number(place + 1)), ("effect", .string(effect)),
      ("node", .string(node)), ("mix", .number(mix)), ("bypass", .bool(isBypassed)),
      ("sideChain", .text(sideChain?.description)),
    ])
  }
}

extension SurfaceBus {
  fileprivate var json: JSONValue {
    let shares = listing.shares.map { share in
      JSONValue.object([("strip", .string("\(share.strip)")), ("percent", .number(share.percent))])
    }
    return .object(
      [
        ("name", .string(listing.name)), ("to", .string(listing.destination.word)),
        ("from", .texts(listing.sources.map(\.description))), ("shares", .array(shares)),
      ] + settings.members)
  }
}

extension SurfaceSong {
  fileprivate var json: JSONValue {
    .object([
      ("title", .string(title)), ("duration", .thousandths(duration)), ("paused", .bool(isPaused)),
      ("tempo", .number(tempo)), ("transpose", .number(transposition)),
      ("loop", loop.map { .array([.number($0.start), .number($0.end)]) } ?? .null), ("countIn", .number(countIn)),
    ])
  }
}

extension SurfaceSongs {
  fileprivate var json: JSONValue {
    .object([
      ("names", .texts(names)), ("current", .number(current)), ("shuffle", .bool(isShuffled)),
      ("repeat", .bool(isRepeating)),
    ])
  }
}

extension SurfaceMicrophone {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name)), ("present", .bool(isPresent)), ("mute", .bool(isMuted)), ("level", .number(level)),
    ])
  }
}

extension SurfaceRecording {
  fileprivate var json: JSONValue {
    .object([("path", .string(path)), ("from", .string("\(strip)")), ("seconds", .number(seconds))])
  }
}

extension SurfaceSaving {
  fileprivate var json: JSONValue { .object([("path", .string(path)), ("part", .number(part))]) }
}

extension SnapshotStore.Entry {
  fileprivate var json: JSONValue {
    .object([("name", .string(name)), ("program", program.map { .number(Int($0)) } ?? .null)])
  }
}

extension SurfaceLearned {
  fileprivate var json: JSONValue {
    .object([
      ("trigger", .string(trigger)), ("target", .string(target)), ("range", .text(range)), ("toggle", .bool(isToggle)),
      ("through", .bool(isPassedOn)),
    ])
  }
}

extension SurfaceOutput {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name)), ("playing", .bool(isPlaying)), ("rate", .number(sampleRate)),
      ("channels", .number(channelCount)), ("period", .number(period)), ("buffer", .number(buffer)),
      ("latency", .array([.number(latency.lowerBound), .number(latency.upperBound)])), ("xruns", .number(xruns)),
      ("devices", .texts(devices)),
    ])
  }
}
