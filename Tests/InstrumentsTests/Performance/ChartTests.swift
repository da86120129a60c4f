import Foundation
import SynthMIDI
import SynthSoundFonts
import Testing

@testable import SynthInstruments

/// Holds docs/midi.md to the tables of the code: each message that a row names is known, and each that is known has a
/// row.
@Suite("The page about MIDI messages")
struct ChartTests {
  private struct Row {
    let cells: [String]
    var name: String { cells[0] }
    var isLeftOut: Bool { cells[1].contains("left out") }
  }

  /// The rows of all tables of a section.
  private func rows(_ section: String) throws -> [Row] {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/midi.md")
    let lines = try String(contentsOf: page.standardized, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: "## " + section)) + 1
    let rows = lines[start...].prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }.map { line in
      Row(cells: line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
    }
    #expect(rows.count > 3)
    return Array(rows.dropFirst())
  }

  /// The addresses that `40 1x 02 to 04, 23` stands for: `40 1x 02`, `40 1x 03`, and so on. `s` stands for 0 to 5.
  private func addresses(_ name: String) -> Set<String> {
    var (prefix, addresses): (String, Set<String>) = ("", [])
    for item in name.split(separator: ",") {
      let words = item.split(separator: " ").map(String.init)
      let tail = words.contains("to") ? 3 : 1
      if words.count > tail { prefix = words.dropLast(tail).joined(separator: " ") }
      let ends = (words[words.count - tail], words[words.count - 1])
      for first in ends.0.hasPrefix("s") ? ["0", "1", "2", "3", "4", "5"] : [""] {
        let bounds = [ends.0, ends.1].map { UInt8(first + $0.drop { $0 == "s" }, radix: 16) }
        guard let low = bounds[0], let high = bounds[1] else { continue }
        for value in low...high { addresses.insert(prefix + " " + Self.hex(value)) }
      }
    }
    return addresses
  }

  private static func hex(_ value: UInt8) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }

  /// Compares a section's rows with what is known.
  private func compare(_ section: String, _ known: Set<String>) throws {
    var named: Set<String> = []
    for row in try rows(section) {
      if row.isLeftOut {
        #expect(addresses(row.name).isDisjoint(with: known), "\(row.name) is not left out")
      } else {
        named.formUnion(addresses(row.name))
      }
    }
    #expect(named.subtracting(known).sorted() == [], "not known")
    #expect(known.subtracting(named).sorted() == [], "not in the chart")
  }

  /// Whether any of some values is known at an address.
  private func knows(_ reading: (UnsafePointer<UInt8>) -> PartMessage.Reading) -> Bool {
    [UInt8(1), 64].contains { value in
      [UInt8](repeating: value, count: 4).withUnsafeBufferPointer { reading($0.baseAddress!).setting != nil }
    }
  }

  private func isReset(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { if case .reset = SystemExclusive($0) { true } else { false } }
  }

  @Test("addresses of GS")
  func gs() throws {
    var known: Set<String> = []
    for low in UInt8(0)..<128 {
      for (block, name) in [(0, "40 00 "), (1, "40 1x "), (2, "40 2x ")] as [(UInt8, String)]
      where knows({ PartSettings.gs(block: block, low, $0, 4) }) {
        known.insert(name + Self.hex(low))
      }
      for high in [0, 0x40] as [UInt8] where isReset(PartMessages.gs((high, 0, low), 0)) {
        known.insert(Self.hex(high) + " 00 " + Self.hex(low))
      }
    }
    try compare("GS", known)
  }

  @Test("addresses of XG")
  func xg() throws {
    var known: Set<String> = []
    for low in UInt8(0)..<128 {
      if knows({ PartSettings.xg(isPart: true, low, $0, 4) }) { known.insert("08 nn " + Self.hex(low)) }
      let isSystem = knows { PartSettings.xg(isPart: false, low, $0, 4) }
      if isSystem || isReset(PartMessages.xg((0, 0, low), 0)) { known.insert("00 00 " + Self.hex(low)) }
    }
    try compare("XG", known)
  }

  @Test("Universal System Exclusive that resets, tunes or routes")
  func universal() throws {
    var known: Set<String> = []
    for (first, second) in (0..<16).flatMap({ first in (0..<16).map { (first, $0) } }) as [(UInt8, UInt8)] {
      for status in [0x7E, 0x7F] as [UInt8] {
        for size in [4, 6, 24] {
          let bytes = [status, 0x7F, first, second] + [UInt8](repeating: 1, count: size - 4)
          let name = Self.hex(status) + " dd " + Self.hex(first)
          bytes.withUnsafeBufferPointer { bytes in
            switch SystemExclusive(bytes) {
            case .reset, .parts: known.insert(name + " " + Self.hex(second))
            case .tuning: known.insert(name)
            case .part, .effects, .master, .keyBased, .parameters, .other: break
            }
          }
        }
      }
    }
    try compare("Universal System Exclusive", known)
  }

  // MARK: - Controllers and parameters

  /// What performance, SoundFont engines and effects follow.
  private var controllers: Set<UInt8> {
    var known = Set(
      (0..<120 as Range<UInt8>).filter { number in
        var state = ChannelState()
        return state.follow(Controller(rawValue: number), 1 << 25)
      })
    for modulator in ZoneModulator.defaults where modulator.source.isController { known.insert(modulator.source.index) }
    known.formUnion([Controller.sustain, .sostenuto, .delaySend].map(\.rawValue))
    return known
  }

  /// The numbers of `5, 37; 64–68`.
  private func numbers(_ cell: String) -> Set<UInt8> {
    var numbers: Set<UInt8> = []
    for item in cell.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let ends = item.split(separator: "–").compactMap { UInt8($0.trimmingCharacters(in: .whitespaces)) }
      if let low = ends.first, let high = ends.last { numbers.formUnion(low...high) }
    }
    return numbers
  }

  @Test("controllers of the implementation chart, and of the channel messages")
  func controlChanges() throws {
    let row = try #require(try rows("Implementation chart").first { $0.name == "control change" })
    #expect(numbers(row.cells[1]) == controllers)
    for row in try rows("Channel messages") where row.name.hasPrefix("CC ") {
      #expect(numbers(String(row.name.dropFirst(3))).isSubset(of: controllers), "\(row.name)")
    }
  }

  @Test("registered parameters")
  func registered() throws {
    var known = Set(
      (0..<0x400 as Range<UInt16>).filter { number in
        var parameters = RegisteredParameters()
        parameters.set(number, to: 3 << 7 | 5)
        return String(describing: parameters) != String(describing: RegisteredParameters())
      })
    known.insert(RegisteredParameters.configuration)
    let named = try rows("Channel messages").filter { $0.name.hasPrefix("RPN ") }.flatMap { row in
      numbers(String(row.name.dropFirst(4))).map(UInt16.init)
    }
    #expect(named.sorted() == known.sorted())
  }

  @Test("assignable parameters, and the controllers that they are the same as")
  func assignable() throws {
    var known: [String: UInt8] = [:]
    for number in UInt16(0)..<0x3FFF {
      guard let controller = PartSettings.controller(ofAssignable: number) else { continue }
      known[Self.hex(UInt8(number >> 7)) + " " + Self.hex(UInt8(number & 127))] = controller.rawValue
    }
    let row = try #require(try rows("Channel messages").first { $0.name.hasPrefix("NRPN 01 ") })
    let names = row.name.dropFirst("NRPN 01 ".count).split(separator: ",").map {
      "01 " + $0.trimmingCharacters(in: .whitespaces)
    }
    let same = try #require(row.cells[1].split(separator: "(").first).drop { !$0.isNumber }
    let numbers = same.split(separator: ",").compactMap { UInt8($0.trimmingCharacters(in: .whitespaces)) }
    #expect(names.count == numbers.count)
    #expect(Dictionary(uniqueKeysWithValues: zip(names, numbers)) == known)
  }
}
