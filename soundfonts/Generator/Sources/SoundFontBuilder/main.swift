// soundfont-builder OUTPUT.sf2: writes the built-in General MIDI soundfont.
@preconcurrency import Glibc
import SoundFontSynthesis

private func fail(_ message: String, status: Int32) -> Never {
  fputs("soundfont-builder: \(message)\n", stderr)
  exit(status)
}

guard CommandLine.arguments.count == 2, !CommandLine.arguments[1].hasPrefix("-") else {
  fail("usage: soundfont-builder OUTPUT.sf2", status: 2)
}
let path = CommandLine.arguments[1]
let font = GeneralMIDI.soundFont()
guard let file = fopen(path, "wb") else {
  fail("writing \(path): \(String(cString: strerror(errno))); name a file in a folder you may write to", status: 1)
}
let written = fwrite(font, 1, font.count, file)
guard written == font.count, fclose(file) == 0 else {
  fail("writing \(path): \(String(cString: strerror(errno))); is there room for \(font.count) bytes?", status: 1)
}
