import SynthInstruments
import SynthText

/// Turns the text of a patch file into a `Patch`; `presets/instruments/README.md` describes the format.
struct PatchReader {
  private let source: JSONSource

  /// The patch in `bytes`, which came from `path`; unknown keys are faults, so that a typing error is not lost.
  static func patch(named name: String, bytes: [UInt8], path: String) throws(ResourceError) -> Patch {
    let source = JSONSource(path: path, bytes: bytes)
    return try PatchReader(source: source).patch(named: name, from: source.value())
  }

  private func patch(named name: String, from root: JSONValue) throws(ResourceError) -> Patch {
    let keys = [
      "version", "title", "description", "level", "mode", "glide", "oscillators", "noise", "amplitude", "filter", "lfo",
      "unison", "velocity",
    ]
    let fields = try JSONFields(root, place: "", keys: keys, source: source)
    try fields.checkVersion()
    var patch = Patch(
      name: name, title: try fields.text("title"), description: try fields.text("description"),
      oscillators: try oscillators(fields), amplitude: try envelope(fields, "amplitude"))
    patch.level = try fields.number("level", in: PatchRanges.level, default: patch.level)
    patch.mode = try fields.word("mode", default: patch.mode)
    patch.glide = try fields.number("glide", in: PatchRanges.duration, default: patch.glide)
    if fields.has("noise") { patch.noise = try fields.number("noise", in: PatchRanges.level) }
    patch.filter = try filter(fields)
    patch.lfo = try lfo(fields)
    patch.unison = try unison(fields)
    patch.velocity = try velocity(fields)
    return patch
  }

  private func oscillators(_ fields: JSONFields) throws(ResourceError) -> [Patch.Oscillator] {
    let list = try fields.value("oscillators")
    guard case .array(let elements) = list.content else {
      throw source.fault(list, "oscillators", "expected a list, found \(list.kind)")
    }
    guard (1...2).contains(elements.count) else {
      throw source.fault(list, "oscillators", "\(elements.count) oscillators given; give one or two")
    }
    var oscillators: [Patch.Oscillator] = []
    for (index, element) in elements.enumerated() {
      let fields = try JSONFields(
        element, place: "oscillators[\(index)]", keys: ["wave", "level", "tune", "detune", "width"], source: source)
      var oscillator = Patch.Oscillator(try fields.word("wave"))
      oscillator.level = try fields.number("level", in: PatchRanges.level, default: oscillator.level)
      oscillator.tune = try fields.number("tune", in: PatchRanges.tune, default: oscillator.tune)
      oscillator.detune = try fields.number("detune", in: PatchRanges.detune, default: oscillator.detune)
      oscillator.width = try fields.number("width", in: PatchRanges.pulseWidth, default: oscillator.width)
      oscillators.append(oscillator)
    }
    return oscillators
  }

  private func envelope(_ parent: JSONFields, _ key: String) throws(ResourceError) -> Patch.Envelope {
    let fields = try JSONFields(
      parent.value(key), place: parent.at(key), keys: ["attack", "decay", "sustain", "release"], source: source)
    return Patch.Envelope(
      attack: try fields.number("attack", in: PatchRanges.duration),
      decay: try fields.number("decay", in: PatchRanges.duration),
      sustain: try fields.number("sustain", in: PatchRanges.share),
      release: try fields.number("release", in: PatchRanges.duration))
  }

  private func filter(_ parent: JSONFields) throws(ResourceError) -> Patch.Filter? {
    let keys = ["cutoff", "resonance", "tracking", "envelope", "amount", "velocity", "pressure"]
    guard let fields = try parent.fields("filter", keys: keys) else { return nil }
    var filter = Patch.Filter(cutoff: try fields.number("cutoff", in: PatchRanges.cutoff))
    filter.resonance = try fields.number("resonance", in: PatchRanges.resonance, default: filter.resonance)
    filter.tracking = try fields.number("tracking", in: PatchRanges.share, default: filter.tracking)
    if fields.has("envelope") { filter.envelope = try envelope(fields, "envelope") }
    filter.amount = try fields.number("amount", in: PatchRanges.filterAmount, default: filter.amount)
    filter.velocity = try fields.number("velocity", in: PatchRanges.filterAmount, default: filter.velocity)
    filter.pressure = try fields.number("pressure", in: PatchRanges.filterAmount, default: filter.pressure)
    return filter
  }

  private func lfo(_ parent: JSONFields) throws(ResourceError) -> Patch.LFO {
    var lfo = Patch.LFO()
    let keys = ["rate", "delay", "pitch", "filter", "amplitude", "wheel", "pressure"]
    guard let fields = try parent.fields("lfo", keys: keys) else { return lfo }
    lfo.rate = try fields.number("rate", in: PatchRanges.rate, default: lfo.rate)
    lfo.delay = try fields.number("delay", in: PatchRanges.duration, default: lfo.delay)
    lfo.pitch = try fields.number("pitch", in: PatchRanges.vibrato, default: lfo.pitch)
    lfo.filter = try fields.number("filter", in: PatchRanges.filterAmount, default: lfo.filter)
    lfo.amplitude = try fields.number("amplitude", in: PatchRanges.tremolo, default: lfo.amplitude)
    lfo.wheel = try fields.number("wheel", in: PatchRanges.vibrato, default: lfo.wheel)
    lfo.pressure = try fields.number("pressure", in: PatchRanges.vibrato, default: lfo.pressure)
    return lfo
  }

  private func unison(_ parent: JSONFields) throws(ResourceError) -> Patch.Unison {
    var unison = Patch.Unison()
    guard let fields = try parent.fields("unison", keys: ["voices", "detune", "spread"]) else { return unison }
    let voices = try fields.number("voices", in: PatchRanges.unisonVoices)
    guard let count = Int(exactly: voices) else {
      throw try source.fault(fields.value("voices"), fields.at("voices"), "expected a whole number")
    }
    unison.voices = count
    unison.detune = try fields.number("detune", in: PatchRanges.detune, default: unison.detune)
    unison.spread = try fields.number("spread", in: PatchRanges.share, default: unison.spread)
    return unison
  }

  private func velocity(_ parent: JSONFields) throws(ResourceError) -> Patch.Velocity {
    var velocity = Patch.Velocity()
    guard let fields = try parent.fields("velocity", keys: ["range", "curve"]) else { return velocity }
    velocity.range = try fields.number("range", in: PatchRanges.velocityRange, default: velocity.range)
    velocity.curve = try fields.number("curve", in: PatchRanges.velocityCurve, default: velocity.curve)
    return velocity
  }
}
