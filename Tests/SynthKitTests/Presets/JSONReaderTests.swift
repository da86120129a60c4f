import Testing

@testable import SynthKit
@testable import SynthText

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws(JSONError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test("every kind of value is read, with the place where it starts")
  func values() throws {
    let value = try read(#" {"a": [1, -2.5e1, "x\n\u00e4\ud83c\udfb5"], "b": true, "c": null} "#)
    guard case .object(let members) = value.content, case .array(let list) = members[0].value.content else {
      Issue.record("not an object with a list")
      return
    }
    #expect(value.offset == 1)
    #expect(members.map(\.key) == ["a", "b", "c"])
    #expect(list.map(\.content) == [.number(1), .number(-25), .string("x\nä🎵")])
    #expect(list.map(\.offset) == [8, 11, 19])
    #expect(members[1].value.content == .bool(true))
    #expect(members[2].value.content == .null)
  }

  @Test(
    "what is written is read again as the same value",
    arguments: [
      JSONValue.null, .bool(true), .number(-3), .number(0.1), .number(1e300), .string("a \"b\" \\ \n\u{1} ä🎵"),
      .array([]), .object([("a", .array([.number(1), .null])), ("b", .object([]))]),
    ])
  func written(value: JSONValue) throws {
    let text = value.description
    #expect(try read(text).description == text)
  }

  @Test("a number that JSON cannot express is written as null", arguments: [Double.nan, .infinity])
  func notFinite(number: Double) {
    #expect(JSONValue.number(number).description == "null")
  }

  @Test(
    "what is not JSON is refused at its place",
    arguments: [
      ("", "expected a value, but the text ends here", 0),
      ("[1,]", "expected a value", 3),
      ("[1 2]", "expected \",\" or \"]\"", 3),
      ("{\"a\" 1}", "expected \":\"", 5),
      ("{a: 1}", "expected a key in quotation marks", 1),
      ("{\"a\": 1, \"a\": 2}", "\"a\" is there twice", 9),
      ("{\"a\": 1", "expected \",\" or \"}\", but the text ends here", 7),
      ("01", "nothing may follow the value", 1),
      ("1.", "expected a digit, but the text ends here", 2),
      ("nul", "expected a value", 0),
      ("\"abc", "the text that starts here has no closing quotation mark", 0),
      ("\"\\x\"", "unknown escape after \"\\\"", 1),
      ("\"\\", "unknown escape after \"\\\"", 1),
      ("\"\\u12\"", "expected four hexadecimal digits after \"\\u\"", 1),
      ("\"\\ud800\"", "half a surrogate pair", 1),
      ("\"a\nb\"", "a line break or control character inside a text", 2),
    ] as [(String, String, Int)])
  func faults(text: String, problem: String, offset: Int) {
    #expect(throws: JSONError(problem: problem, offset: offset)) { try read(text) }
  }

  @Test("a text that is not UTF-8 is refused")
  func notUTF8() {
    #expect(throws: JSONError(problem: "the text is not UTF-8", offset: 0)) {
      try JSONValue(parsing: [0x22, 0xFF, 0x22])
    }
  }

  @Test("64 lists may nest, 65 may not")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try read(nested(64))
    #expect(throws: JSONError(problem: "lists and objects nest deeper than 64", offset: 64)) { try read(nested(65)) }
  }

  @Test("columns count characters, lines count line breaks")
  func locations() {
    let bytes = Array("ab\näöü".utf8)
    #expect(TextLocation(offset: 0, in: bytes) == TextLocation(line: 1, column: 1))
    #expect(TextLocation(offset: 3, in: bytes) == TextLocation(line: 2, column: 1))
    #expect(TextLocation(offset: 7, in: bytes) == TextLocation(line: 2, column: 3))
  }

  @Test("a damaged preset is read or refused, never a trap, and every fault lies within the text")
  func fuzz() {
    let valid = Array(PresetReaderTests.text(gains: Array(repeating: "-1.5e0", count: 10)).utf8)
    let alphabet = Array("{}[]\",:\\u0dDeE+-. \ntfn\u{1}\u{FF}".utf8)
    var random = SplitMix64(state: 1)
    var accepted = 0
    for _ in 0..<3000 {
      var bytes = valid
      for _ in 0...(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = alphabet[Int(random.next() % UInt64(alphabet.count))]
        case 1: bytes.remove(at: place)
        default: bytes = Array(bytes[...place])
        }
      }
      do throws(ResourceError) {
        _ = try EqualizerPresetReader.preset(named: "fuzz", bytes: bytes, path: "fuzz.json")
        accepted += 1
      } catch {
        switch error {
        case .malformed(_, let location, _), .invalid(_, let location, _, _):
          #expect(location.line <= 1 + bytes.count { $0 == 0x0A })
        default: Issue.record("\(error)")
        }
      }
    }
    #expect(accepted > 0 && accepted < 3000)
  }
}

private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
