// Any bytes as a SoundFont: opened, all presets made playable, and everything that a voice reads looked at.

import SynthSoundFonts

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSoundFont(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let font: SoundFont
  do {
    font = try SoundFont(bytes: bytes, name: "fuzz")
  } catch {
    precondition(!error.description.isEmpty && 0...count ~= error.offset ?? 0, "an error outside of the file")
    return 0
  }
  precondition(font.presets.count <= count / 38 && font.sampleCount <= count / 46, "the directory outgrows the file")
  var sum = font.information.reduce(0) { $0 &+ $1.text.utf8.count }
  precondition(sum <= 3 * count, "texts outgrow the file")
  for index in 0..<font.sampleCount { sum &+= font.sample(index).name.utf8.count }

  let playable = PlayablePresets(font)
  var zoneCount = 0
  for header in font.presets {
    guard let preset = playable.preset(bank: header.bank, program: header.program)?.pointee else { continue }
    zoneCount += preset.zoneCount
    for index in 0..<preset.zoneCount { sum &+= check(preset.zones[index]) }
  }
  // A preset that is there twice is found twice.
  precondition(zoneCount <= (4096 + count / 300) * max(1, font.presets.count), "zones outgrow the file")
  for problem in font.problems.first + playable.problems.first {
    precondition(0...count ~= problem.offset && !problem.description.isEmpty, "a problem outside of the file")
  }
  withExtendedLifetime(playable) {}
  return sum == .min ? -1 : 0
}

private func check(_ zone: PlayableZone) -> Int {
  precondition(zone.lowestKey <= zone.highestKey && zone.highestKey < 128, "no key sounds")
  precondition(zone.lowestVelocity <= zone.highestVelocity && zone.highestVelocity < 128, "no velocity sounds")
  precondition(Generator.allCases.allSatisfy { zone[$0].isFinite }, "a generator is no number")
  precondition(11...64 ~= zone.modulatorCount, "too many modulators")
  for index in 0..<zone.modulatorCount {
    let modulator = zone.modulators[index]
    precondition(modulator.amount.isFinite && modulator.destination < Generator.count, "a modulator leads nowhere")
    precondition(modulator.link < 0 || (index + 1..<zone.modulatorCount).contains(Int(modulator.link)), "a link back")
  }
  let sample = zone.sample
  precondition(0 <= sample.start && sample.start + 2 <= sample.end && sample.end <= sample.wordCount, "no wave")
  precondition(sample.start <= sample.loopStart && sample.loopStart <= sample.loopEnd, "a loop turned round")
  precondition(sample.loopEnd <= sample.wordCount && sample.rootKey < 128, "a loop outside")
  let offsets = [.startOffset, .endOffset, .loopStartOffset, .loopEndOffset].map { Int(zone[$0]) }
  guard let span = sample.span(start: offsets[0], end: offsets[1], loopStart: offsets[2], loopEnd: offsets[3]) else {
    return 0
  }
  precondition(sample.start <= span.start && span.start + 2 <= span.end && span.end <= sample.end, "a span outside")
  if span.canLoop {
    precondition(sample.start <= span.loopStart && span.loopStart + 2 <= span.loopEnd, "a loop too short")
    precondition(span.loopEnd <= sample.end, "a loop behind the wave")
  }
  return [sample.start, sample.end - 1, sample.wordCount - 1, span.loopEnd - 1].reduce(0) { sum, place in
    sum + Int(sample.words[max(0, place)]) + Int(sample.lowBytes?[max(0, place)] ?? 0)
  }
}
