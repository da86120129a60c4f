import TestSupport
import Testing

@testable import synth

@Suite("A line that is typed")
struct LineEditorTests {
  private func typed(_ keys: String, words: [String] = []) -> (text: String, outcomes: [LineEditor.Outcome]) {
    var editor = LineEditor()
    let outcomes = keys.split(separator: "|").flatMap { keys in
      editor.type(Array(keys.utf8)) { text in
        let last = text.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        return words.filter { $0.hasPrefix(last) }
      }
    }
    return (editor.text, outcomes)
  }

  @Test(
    "Backspace takes back a letter, Ctrl-U and Esc all; arrow and function keys do nothing",
    arguments: [
      ("pop", "pop"), ("popp\u{7F}", "pop"), ("popp\u{8}", "pop"), ("\u{7F}", ""), ("né\u{7F}", "n"),
      ("no\u{15}pop", "pop"),
      ("no|\u{1B}|pop", "pop"), ("p\u{1B}[Aop\u{1B}[1;5C\u{1B}OP", "pop"), ("\u{1}p\u{3}op\u{4}", "pop"),
    ])
  func editing(keys: String, text: String) { #expect(typed(keys).text == text) }

  @Test(
    "space, arrows, v, + and - are keys of their own while nothing is typed, and then belong to the line or to nothing")
  func keys() {
    let (text, outcomes) = typed(
      " +|-|v\u{1B}[5~\u{1B}[6;5~\u{1B}OC\u{1B}[D\u{1B}[15~\u{1B}[~|save -5 +\u{1B}[C\u{1B}[5~")
    #expect(
      outcomes == [.space, .plus, .minus, .view, .pageUp, .pageDown, .right, .left].map(LineEditor.Outcome.key))
    #expect(text == "save -5 +")
  }

  @Test("up and down go through what was typed before, and back to what had been begun")
  func history() {
    var editor = LineEditor()
    editor.past = ["preset pop", "gain -3"]
    func press(_ keys: String) -> String {
      _ = editor.type(Array(keys.utf8)) { _ in [] }
      return editor.text
    }
    let (up, down) = ("\u{1B}[A", "\u{1B}OB")
    #expect(press("mu") == "mu")
    #expect(press(up) == "gain -3" && press(up) == "preset pop" && press(up) == "preset pop")
    #expect(press(down) == "gain -3" && press(down) == "mu" && press(down) == "mu")
    #expect(press(up + "0") == "gain -30")
    #expect(editor.type([0x0A]) { _ in [] } == [.line("gain -30")])
    #expect(press(down) == "" && press(up) == "gain -3")
  }

  @Test("Enter ends a line, and several may come at once")
  func lines() {
    let (text, outcomes) = typed("preset pop\ngain -3\rmu")
    #expect(outcomes == [.line("preset pop"), .line("gain -3")])
    #expect(text == "mu")
  }

  @Test("Tab completes a word as far as it is clear, and then shows the choices")
  func completion() {
    let words = ["bass-booster", "bass-reducer", "pop"]
    #expect(typed("preset p\t", words: words).text == "preset pop ")
    #expect(typed("preset b\t", words: words).text == "preset bass-")
    let choices = typed("preset b\t\t", words: words)
    #expect(choices.text == "preset bass-")
    #expect(choices.outcomes == [.choices(["bass-booster", "bass-reducer"])])
    #expect(typed("preset x\t", words: words).text == "preset x")
    #expect(typed("\t", words: ["preset"]).text == "preset ")
  }

  @Test("no keys trap, and the text stays short", arguments: 0..<4)
  func fuzz(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var editor = LineEditor()
    for _ in 0..<20_000 {
      let keys = (0..<random.next(below: 12)).map { _ in
        random.next(below: 2) == 0
          ? UInt8(truncatingIfNeeded: random.next()) : [0x1B, 0x5B, 0x7F, 0x09, 0x61, 0xC3][random.next(below: 6)]
      }
      _ = editor.type(keys) { [$0 + "é", "a", "ab"] }
      #expect(editor.text.utf8.count < 4096)
    }
  }

  @Test("lines come out of a pipe whole, however they were cut; what is too long is none")
  func reader() {
    let text = "preset pop\n\ngain -3\n" + String(repeating: "x", count: 5000) + "\nlast"
    for size in [1, 3, 7, 64, 10000] {
      var reader = LineReader()
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.append(bytes[start..<min(start + size, bytes.count)])
      }
      reader.finish()
      var lines: [String?] = []
      while let line = reader.take() { lines.append(line) }
      #expect(lines == ["preset pop", "", "gain -3", nil, "last"])
    }
  }
}
