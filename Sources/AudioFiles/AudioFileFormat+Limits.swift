import DSP

// Which formats there can be, and what samples become in them.

extension AudioFileFormat {
  /// Why no file can have this format, with what to do instead; nil if one can.
  func refusal(seekable: Bool) -> String? {
    if !(1...768_000).contains(rate) { return "\(rate) frames per second — must be 1 to 768000" }
    let limit = container == .flac ? 8 : 256
    if !(1...limit).contains(channels) { return "\(channels) channels — \(container) has 1 to \(limit)" }
    guard container == .flac else { return nil }
    if samples == .float32 { return "FLAC has no float samples — use 24-bit, or WAV" }
    if rate > 655_350 { return "\(rate) frames per second — FLAC has 1 to 655350" }
    return seekable ? nil : "FLAC cannot go into a pipe or device — use WAV"
  }
}

extension AudioFileSamples {
  /// The samples of a WAV or raw file.
  var fileFormat: SampleFormat {
    switch self {
    case .int16: .int16
    case .int24: .int24Packed
    case .float32: .float32
    }
  }
}
