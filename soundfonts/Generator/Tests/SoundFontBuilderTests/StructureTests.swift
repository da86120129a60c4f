// The committed font against the rules of the SoundFont 2.04 specification.
import Testing

@Suite("The font's structure")
struct StructureTests {
  let font: SoundFontFile

  init() throws { font = try SoundFontFile(path: fontPath) }

  @Test("every table is a whole number of records and ends with its terminal record")
  func tables() {
    let sizes = [
      "phdr": 38, "pbag": 4, "pmod": 10, "pgen": 4, "inst": 22, "ibag": 4, "imod": 10, "igen": 4, "shdr": 46,
    ]
    for (chunk, size) in sizes {
      let range = font.chunks[chunk] ?? 0..<0
      #expect(range.count > 0 && range.count % size == 0, "\(chunk)")
    }
    #expect(font.presets.last?.name == "EOP")
    #expect(font.instruments.last?.name == "EOI")
    #expect(font.samples.last?.name == "EOS")
  }

  @Test("the font is no larger than 800 000 bytes")
  func size() {
    #expect(font.bytes.count <= 800_000)
  }

  @Test("programs 0 to 127 and one drum kit are there, each once, in order")
  func programs() {
    let list = font.presets.dropLast()
    #expect(list.filter { $0.bank == 0 }.map(\.program) == Array(0..<128))
    #expect(list.filter { $0.bank == 128 }.map(\.program) == [0])
    #expect(list.count == 129)
    #expect(Set(list.map(\.name)).count == 129)
  }

  @Test("bags, generators and modulators are numbered in order and end where their tables end")
  func indices() {
    for (bagChunk, generatorChunk, modulatorChunk, firsts) in [
      ("pbag", "pgen", "pmod", font.presets.map(\.firstBag)),
      ("ibag", "igen", "imod", font.instruments.map(\.firstBag)),
    ] {
      let bags = font.bags(bagChunk)
      #expect(firsts == firsts.sorted() && firsts.last == bags.count - 1)
      let generators = bags.map(\.firstGenerator)
      #expect(generators == generators.sorted() && generators.last == font.generators(generatorChunk).count - 1)
      let modulators = bags.map(\.firstModulator)
      #expect(modulators == modulators.sorted())
      #expect(modulators.last == font.records(modulatorChunk, size: 10).count - 1)
    }
  }

  @Test("a zone begins with its key range, ends with its sample or instrument, and has no generator twice")
  func zones() {
    let (keyRange, instrument, sampleID) = (43, 41, 53)
    for (bagChunk, generatorChunk, last, limit) in [
      ("pbag", "pgen", instrument, font.instruments.count - 1), ("ibag", "igen", sampleID, font.samples.count - 1),
    ] {
      let bags = font.bags(bagChunk)
      let generators = font.generators(generatorChunk)
      for (bag, next) in zip(bags, bags.dropFirst()) {
        let zone = generators[bag.firstGenerator..<next.firstGenerator]
        #expect(Set(zone.map(\.kind)).count == zone.count)
        if let range = zone.firstIndex(where: { $0.kind == keyRange }) {
          #expect(range == zone.startIndex && zone[range].low <= zone[range].high && zone[range].high <= 127)
        }
        if let link = zone.firstIndex(where: { $0.kind == last }) {
          #expect(link == zone.endIndex - 1 && zone[link].amount < limit)
        }
      }
    }
  }

  @Test("only an instrument's first zone may lack a sample")
  func globalZones() {
    let bags = font.bags("ibag")
    let generators = font.generators("igen")
    for (instrument, next) in zip(font.instruments, font.instruments.dropFirst()) {
      for bag in instrument.firstBag + 1..<next.firstBag {
        #expect(generators[bags[bag + 1].firstGenerator - 1].kind == 53, "\(instrument.name)")
      }
    }
  }

  @Test("samples lie one behind the other with 46 zeros behind each, and loops well inside")
  func samples() {
    let frames = font.frames
    var start = 0
    for sample in font.samples.dropLast() {
      #expect(sample.start == start && sample.end >= sample.start + 48, "\(sample.name)")
      #expect(frames[sample.end..<sample.end + 46].allSatisfy { $0 == 0 }, "\(sample.name)")
      #expect(sample.loopStart >= sample.start + 8 && sample.loopEnd <= sample.end - 8, "\(sample.name)")
      #expect(sample.loopEnd - sample.loopStart >= 32, "\(sample.name)")
      #expect((400...50_000).contains(sample.rate) && sample.key <= 127 && sample.type == 1, "\(sample.name)")
      start = sample.end + 46
    }
    #expect(start == frames.count)
    #expect(Set(font.samples.map(\.name)).count == font.samples.count)
  }

  @Test("what follows a loop's end is what follows its start, to -46 dB of full scale")
  func seams() {
    let frames = font.frames
    for sample in loopedSamples() {
      for i in -8..<8 {
        let (end, start) = (Int(frames[sample.loopEnd + i]), Int(frames[sample.loopStart + i]))
        #expect(abs(end - start) <= 164, "\(sample.name) at \(i)")
      }
    }
  }

  @Test("loops have no direct current beyond -50 dB of full scale")
  func directCurrent() {
    let frames = font.frames
    for sample in loopedSamples() {
      let sum = frames[sample.loopStart..<sample.loopEnd].reduce(0) { $0 + Int($1) }
      #expect(abs(sum) <= 104 * (sample.loopEnd - sample.loopStart), "\(sample.name)")
    }
  }

  /// The samples that some zone plays with sample mode 1.
  private func loopedSamples() -> [SoundFontFile.Sample] {
    let bags = font.bags("ibag")
    let generators = font.generators("igen")
    var looped: Set<Int> = []
    for (bag, next) in zip(bags, bags.dropFirst()) {
      let zone = generators[bag.firstGenerator..<next.firstGenerator]
      if zone.contains(where: { $0.kind == 54 && $0.amount == 1 }), let link = zone.last, link.kind == 53 {
        looped.insert(link.amount)
      }
    }
    return looped.sorted().map { font.samples[$0] }
  }
}
