// Any bytes as a MIDI cable: whole, and cut in two at any place, which may make no difference.

import SynthMIDI

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMIDIByteReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let whole = read([bytes[...]])
  let cut = Int(first) * count / 256
  precondition(read([bytes[..<cut], bytes[cut...]]) == whole, "a cut changes what is read")
  precondition(whole.count <= count, "more is read than was sent")
  for content in whole {
    switch content {
    case .message(let message): precondition(message.kind != .systemExclusive && message.channel < 16)
    case .systemExclusive(let payload):
      precondition(payload.count <= MIDIByteReader.longestPayload && payload.allSatisfy { $0 < 0x80 })
    case .reset, .clock: break
    }
  }
  return 0
}

private func read(_ pieces: [ArraySlice<UInt8>]) -> [MIDISourceEvent.Content] {
  var reader = MIDIByteReader()
  var contents: [MIDISourceEvent.Content] = []
  for piece in pieces { reader.read(piece) { contents.append($0) } }
  return contents
}
