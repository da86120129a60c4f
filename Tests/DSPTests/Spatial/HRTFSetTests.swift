import FoundationEssentials
import SynthDSP
import Testing

@Suite("Sets of head-related transfer functions")
struct HRTFSetTests {
  @Test("a missing file is told of with what to do")
  func missing() {
    let path = "/nowhere/head.sofa"
    do {
      _ = try HRTFSet(path: path)
      Issue.record("no error")
    } catch {
      #expect(
        "\(error)"
          == "loading HRTF set \"/nowhere/head.sofa\": no such file or directory; install the package libmysofa1, "
          + "which has a set, or give the path of another .sofa file")
    }
  }

  @Test("so is a file of another kind")
  func unreadable() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "words-\(UInt64.random(in: 0 ... .max)).sofa")
    try Data("no impulse responses".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      _ = try HRTFSet(path: file.path)
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("it is no file of head-related transfer functions (SimpleFreeFieldHRIR, AES69); "))
    }
  }

  @Test("a table is made once for a rate, and the standard set once")
  func once() throws {
    let set = try HRTFSet.standard()
    #expect(try HRTFSet.standard() === set && set.sampleRate == 44100)
    #expect(set.table(sampleRate: 48000) === set.table(sampleRate: 48000))
    #expect(set.table(sampleRate: 48000).grid.tapCount == 144 && set.table(sampleRate: 96000).grid.tapCount == 280)
  }
}
