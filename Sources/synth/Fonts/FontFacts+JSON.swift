import SynthSoundFonts
import SynthText

extension FontFacts {
  /// What `synth font --json` prints: everything the page has, all samples, and the first hundred problems.
  var json: JSONValue {
    .object([
      ("file", .string(font.path)), ("version", .string(version)),
      ("byteCount", .number(font.byteCount)), ("sampleByteCount", .number(font.sampleByteCount)),
      ("bits", .number(bits)), ("instrumentCount", .number(font.instrumentCount)),
      (
        "information", .array(font.information.map { .object([("tag", .string($0.tag)), ("text", .string($0.text))]) })
      ),
      ("presets", .array(zip(font.presets, zoneCounts).map(preset))),
      ("samples", .array(samples.map(sample))), ("problemCount", .number(problemCount)),
      ("problems", .array(problems.map(problem))),
    ])
  }

  private func preset(_ header: SoundFontPresetHeader, _ zoneCount: Int) -> JSONValue {
    .object([
      ("bank", .number(header.bank)), ("program", .number(header.program)), ("name", .string(header.name)),
      ("zoneCount", .number(zoneCount)),
    ])
  }

  /// Of a Vorbis sample, `start` and `end` count bytes.
  private func sample(_ header: SoundFontSampleHeader) -> JSONValue {
    .object([
      ("name", .string(header.name)), ("start", .number(header.start)), ("end", .number(header.end)),
      ("loopStart", .number(header.loopStart)), ("loopEnd", .number(header.loopEnd)),
      ("rate", .number(header.sampleRate)),
      ("rootKey", .number(Int(header.rootKey))), ("correction", .number(Int(header.correction))),
      ("isVorbis", .bool(header.isVorbis)), ("isInROM", .bool(header.isInROM)),
    ])
  }

  private func problem(_ problem: SoundFontProblem) -> JSONValue {
    .object([
      ("subject", .string(problem.subject)), ("reason", .string(problem.reason)), ("chunk", .string(problem.chunk)),
      ("byte", .number(problem.offset)),
    ])
  }
}
