// Any bytes as an audio file that becomes an instrument: read by libsndfile, made a SoundFont, and that opened again.

import Glibc
import SynthSoundFonts

// One file for all inputs: libsndfile reads descriptors.
private nonisolated(unsafe) let file = tmpfile()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSample(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let file, let start, count > 0 else { return 0 }
  let descriptor = fileno(file)
  guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, start, count, 0) == count else { return 0 }
  do {
    let font = try SoundFont(path: "/proc/self/fd/\(descriptor)")
    precondition(font.sampleByteCount <= 3 * (16 * count + 1 << 22) + 1000, "a sample outgrows its file")
    precondition(font.presets.count == 1 || font.sampleCount <= count / 46, "neither an instrument nor a font")
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  return 0
}
