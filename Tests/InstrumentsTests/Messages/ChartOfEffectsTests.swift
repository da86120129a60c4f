import Foundation
import Testing

@testable import SynthInstruments

/// Holds the tables of docs/midi.md about effects, equalizers, the master and drum keys to what the readers of messages
/// follow.
@Suite("The page about MIDI messages: effects, equalizers, master, drum keys")
struct ChartOfEffectsTests {
  /// The names of a section's rows: those of what it does, or of what is left out.
  private func names(_ section: String, leftOut: Bool = false) throws -> [String] {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/midi.md")
    let lines = try String(contentsOf: page.standardized, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: "## " + section)) + 1
    let all = lines[start...].prefix { !$0.hasPrefix("## ") }
    let end = all.firstIndex(of: "Left out:") ?? all.endIndex
    let names = (leftOut ? all[end...] : all[..<end]).filter { $0.hasPrefix("| ") }.dropFirst()
      .map { String($0.split(separator: "|")[0]) }
    #expect(!names.isEmpty)
    return names
  }

  /// The last bytes that rows name behind a prefix: 42, 44, 46 and 48 of `XG 02 01 42, 44, 46 to 48`.
  private func bytes(_ prefix: String, in names: [String]) -> Set<UInt8> {
    var bytes: Set<UInt8> = []
    for name in names {
      for part in name.components(separatedBy: prefix + " ").dropFirst() {
        let list = part.prefix { $0.isHexDigit && !$0.isLowercase || ", to".contains($0) }
        for item in list.split(separator: ",") {
          let ends = item.split(separator: " ").filter { $0 != "to" }.map { UInt8($0, radix: 16) }
          // Another message follows.
          guard let first = ends.first, let low = first, let high = ends.last ?? nil, ends.count <= 2 else { break }
          bytes.formUnion(low...high)
        }
      }
    }
    return bytes
  }

  /// The last bytes of which some value is followed.
  private func followed(_ values: [UInt8] = [1, 7, 64], _ payload: (UInt8, UInt8) -> [UInt8]) -> Set<UInt8> {
    Set(
      (0..<128 as Range<UInt8>).filter { last in
        values.contains { value in
          var readers = MessageReaders()
          return payload(last, value).withUnsafeBufferPointer { readers.answers($0).first?.isFollowed == true }
        }
      })
  }

  private func gs(_ high: UInt8, _ middle: UInt8) -> Set<UInt8> {
    followed { PartMessages.gs((high, middle, $0), $1) }
  }

  /// Without the second bytes of what has two.
  private func xg(_ high: UInt8, _ middle: UInt8) -> Set<UInt8> {
    let all = followed { PartMessages.xg((high, middle, $0), $1) }
    let pairs: Set<UInt8> = high == 2 && middle == 1 ? [0x00, 0x06, 0x0A, 0x20, 0x22, 0x24, 0x26, 0x40] : []
    let delay = high == 2 && middle == 1 ? Set(stride(from: UInt8(0x43), through: 0x4D, by: 2)) : []
    return all.subtracting(pairs.map { $0 + 1 }).subtracting(delay)
  }

  @Test("effects of GS and XG")
  func effects() throws {
    let (done, leftOut) = (try names("System effects"), try names("System effects", leftOut: true))
    #expect(bytes("GS 40 01", in: done) == gs(0x40, 1))
    #expect(bytes("XG 02 01", in: done) == xg(2, 1))
    #expect(bytes("GS 40 01", in: leftOut).isDisjoint(with: gs(0x40, 1)))
    #expect(bytes("XG 02 01", in: leftOut).isDisjoint(with: xg(2, 1)))
  }

  @Test("equalizers of GS and XG")
  func equalizers() throws {
    let done = try names("Equalizers")
    #expect(bytes("GS 40 02", in: done) == gs(0x40, 2))
    #expect(bytes("GS 40 4x", in: done) == gs(0x40, 0x41))
    #expect(bytes("XG 02 40", in: done) == xg(2, 0x40))
    #expect(bytes("XG 08 nn", in: done).isSubset(of: xg(8, 3)))
    #expect(bytes("XG 08 nn", in: try names("Equalizers", leftOut: true)).isDisjoint(with: xg(8, 3)))
    let assignable = followedParameters().filter { $0 >> 7 == 1 && (0x30...0x35).contains($0 & 0x7F) }
    #expect(Set(assignable.map { UInt8($0 & 0x7F) }) == bytes("NRPN 01", in: done))
  }

  @Test("the level of all")
  func master() throws {
    let done = try names("Master")
    #expect(bytes("GS 40 00", in: done).isSubset(of: gs(0x40, 0)))
    #expect(bytes("XG 00 00", in: done).isSubset(of: xg(0, 0)))
  }

  @Test("what drum keys are told")
  func drumKeys() throws {
    let (done, leftOut) = (try names("Drum keys"), try names("Drum keys", leftOut: true))
    func maps(_ names: [String]) -> Set<UInt8> {
      Set(names.flatMap { $0.matches(of: /\bm([0-9A-F])\b/).compactMap { UInt8($0.1, radix: 16) } })
    }
    let known = Set(
      (0..<16 as Range<UInt8>).filter { map in
        followed { PartMessages.gs((0x41, map, $0), $1) }.contains(36)
      })
    #expect(maps(done) == known)
    #expect(maps(leftOut).isDisjoint(with: known))
    let parameters = Set(followedParameters().map { UInt8($0 >> 7) }.filter { (0x14...0x1F).contains($0) })
    #expect(bytes("NRPN", in: done.map { $0.replacing(" rr", with: "").replacing(" and ", with: ", ") }) == parameters)
  }

  private func followedParameters() -> [UInt16] {
    (0..<0x3FFF as Range<UInt16>).filter { number in
      var readers = MessageReaders()
      return readers.followsAssignable(number)
    }
  }
}
