import AudioGraph
import CSynthFluidSynth
import Glibc
import SynthDSP

/// The figures of room acoustics for FluidSynth's reverb and for ours, side by side.
struct ReverbTable {
  private static let seconds = 4
  private static let octaves = [125.0, 250, 500, 1000, 2000, 4000, 8000]
  private static let moments = [10, 25, 50, 100, 200, 400]
  private static let widths = [29, 12, 11, 12, 8, 8]

  static func measure() throws {
    let rooms = [ReverbType.largeHall, .mediumRoom, .plate].map { type in
      NodeUnderTest(name: type.name) { ReverbNode(type: type) }
    }
    let subjects: [any EffectUnderTest] = [FluidSynthUnderTest(effect: .reverb)] + rooms
    let responses = try subjects.map { try RoomResponse($0, seconds: seconds) } + [.noise(seconds: seconds)]
    print(row([""] + subjects.map(\.name) + ["noise"], widths: widths))
    func line(_ name: String, _ decimals: Int, _ figure: (RoomResponse) -> Double) {
      print(row([name] + responses.map { fixed(figure($0), decimals) }, widths: widths))
    }
    for octave in octaves { line("falls 60 dB in s, \(fixed(octave, 0)) Hz", 2) { $0.decayTime(octave) } }
    for moment in moments { line("echo density after \(moment) ms", 2) { $0.density(after: moment) } }
    line("density 0.9 after ms", 0) { $0.densityTime }
    line("left to right: correlation", 2) { $0.correlation }
    line("the highest within 1 ms", 2) { $0.highestCorrelation }
    line("ripple of third octaves in dB", 2) { $0.ripple }
    line("loudest line of the tail in dB", 1) { $0.loudestLine }
    line("white noise comes back at dB", 1) { $0.loudness }
    let costs = try EffectCosts.measure(subjects)
    print(row(["ns a quantum"] + costs.map { fixed($0, 0) }, widths: widths))
  }
}

/// What room acoustics measures of a reverb.
struct RoomResponse {
  private let left: [Float]
  private let right: [Float]

  init(_ effect: any EffectUnderTest, seconds: Int) throws {
    var click = [Float](repeating: 0, count: seconds * Int(Work.sampleRate) / 2)
    click[0] = 1
    let response = try effect.response(to: click)
    (left, right) = (response[0], response[1])
  }

  /// What no reverb can better: noise that falls by 60 dB in 1.3 s, another on each side.
  static func noise(seconds: Int) -> RoomResponse {
    let fall = pow(0.001, 1 / (1.3 * Work.sampleRate))
    func side() -> [Float] {
      var level = 1 / (1.3 * Work.sampleRate / (2 * log(1000))).squareRoot()
      return (0..<seconds * Int(Work.sampleRate)).map { _ in
        level *= fall
        // Near enough to Gauss's.
        return Float(level * (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0...1) })
      }
    }
    return RoomResponse(left: side(), right: side())
  }

  private init(left: [Float], right: [Float]) { (self.left, self.right) = (left, right) }

  /// In seconds, in an octave.
  func decayTime(_ octave: Double) -> Double {
    decay(octaveBand(left, at: octave, sampleRate: Work.sampleRate), sampleRate: Work.sampleRate).time
  }

  func density(after milliseconds: Int) -> Double {
    echoDensity(left, around: frame(milliseconds), sampleRate: Work.sampleRate)
  }

  /// The first moment, in milliseconds, at which it is nine tenths as dense as noise, and stays so for 50 ms.
  var densityTime: Double {
    let densities = (10..<1000).map { density(after: $0) }
    let first = densities.indices.dropLast(50).first { densities[$0..<$0 + 50].allSatisfy { $0 > 0.9 } }
    return first.map { Double($0 + 10) } ?? .nan
  }

  var correlation: Double { correlationOfSides(0) }

  /// What two ears hear as one: the highest correlation of the sides at any delay that a head makes.
  var highestCorrelation: Double { (-frame(1)...frame(1)).map { abs(correlationOfSides($0)) }.max() ?? 0 }

  private func correlationOfSides(_ delay: Int) -> Double {
    // After the first reflections.
    let range = frame(30)..<frame(1000)
    return Benchmarks.correlation(
      Array(left[range]), Array(right[range.lowerBound + delay..<range.upperBound + delay]))
  }

  /// How far the levels of the third octaves from 100 Hz to 8 kHz stray from a straight line, root mean square.
  var ripple: Double {
    let spectrum = Spectrum(left, count: 1 << 17, sampleRate: Work.sampleRate)
    let levels = (0...19).map { spectrum.level(around: 100 * pow(2, Double($0) / 3), octaves: 1.0 / 3) }
    let places = levels.indices.map(Double.init)
    let (meanPlace, meanLevel) = (places.reduce(0, +) / 20, levels.reduce(0, +) / 20)
    let slope =
      zip(places, levels).reduce(0) { $0 + ($1.0 - meanPlace) * ($1.1 - meanLevel) }
      / places.reduce(0) { $0 + ($1 - meanPlace) * ($1 - meanPlace) }
    let squares = zip(places, levels).map { pow($1 - meanLevel - slope * ($0 - meanPlace), 2) }
    return (squares.reduce(0, +) / 20).squareRoot()
  }

  /// How far the highest line of the tail, 0.3 to 1 s, stands above its third octave: what rings. Noise has 9 to 11 dB.
  var loudestLine: Double {
    let spectrum = Spectrum(left[frame(300)..<frame(983)], count: 1 << 15, sampleRate: Work.sampleRate)
    return (3...19).map { third in
      let centre = 100 * pow(2, Double(third) / 3)
      let highest = spectrum.bins(around: centre, octaves: 1.0 / 3).max() ?? 0
      return 10 * log10(highest) - spectrum.level(around: centre, octaves: 1.0 / 3)
    }.max() ?? 0
  }

  /// Of white noise at 0 dB, in decibels.
  var loudness: Double { 10 * log10(left.reduce(0) { $0 + Double($1) * Double($1) }) }

  private func frame(_ milliseconds: Int) -> Int { milliseconds * Int(Work.sampleRate) / 1000 }
}
