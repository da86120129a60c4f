extension SoundFontBytes {
  /// A zone of a preset or an instrument: generators and modulators in the order of the file.
  public struct Zone: Sendable {
    public var generators: [(number: Generator, amount: UInt16)] = []
    public var modulators: [Modulator]
    /// The instrument or sample, by its place in the font; nil for a global zone.
    public var target: Int?

    /// - Parameters:
    ///   - keys: written first, as the standard asks.
    ///   - generators: signed or unsigned amounts of 16 bits.
    public init(
      keys: ClosedRange<Int>? = nil, velocities: ClosedRange<Int>? = nil,
      _ generators: KeyValuePairs<Generator, Int> = [:], modulators: [Modulator] = [], playing target: Int?
    ) {
      if let keys { self.generators.append((.keyRange, UInt16(keys.lowerBound | keys.upperBound << 8))) }
      if let velocities {
        self.generators.append((.velRange, UInt16(velocities.lowerBound | velocities.upperBound << 8)))
      }
      for (number, amount) in generators { self.generators.append((number, UInt16(truncatingIfNeeded: amount))) }
      self.modulators = modulators
      self.target = target
    }

    /// What holds for all zones of the preset or instrument; it comes first in the list.
    public static func global(
      _ generators: KeyValuePairs<Generator, Int> = [:], modulators: [Modulator] = []
    ) -> Zone {
      Zone(generators, modulators: modulators, playing: nil)
    }
  }

  /// The generators of 8.1.2, by the standard's names.
  public enum Generator: UInt16, Sendable, CaseIterable {
    case startAddrsOffset, endAddrsOffset, startloopAddrsOffset, endloopAddrsOffset, startAddrsCoarseOffset,
      modLfoToPitch, vibLfoToPitch, modEnvToPitch, initialFilterFc, initialFilterQ, modLfoToFilterFc,
      modEnvToFilterFc, endAddrsCoarseOffset, modLfoToVolume, unused1, chorusEffectsSend, reverbEffectsSend, pan,
      unused2, unused3, unused4, delayModLFO, freqModLFO, delayVibLFO, freqVibLFO, delayModEnv, attackModEnv,
      holdModEnv, decayModEnv, sustainModEnv, releaseModEnv, keynumToModEnvHold, keynumToModEnvDecay, delayVolEnv,
      attackVolEnv, holdVolEnv, decayVolEnv, sustainVolEnv, releaseVolEnv, keynumToVolEnvHold, keynumToVolEnvDecay,
      instrument, reserved1, keyRange, velRange, startloopAddrsCoarseOffset, keynum, velocity, initialAttenuation,
      reserved2, endloopAddrsCoarseOffset, coarseTune, fineTune, sampleID, sampleModes, reserved3, scaleTuning,
      exclusiveClass, overridingRootKey, unused5, endOper
  }

  /// A modulator of 8.2.
  public struct Modulator: Sendable {
    public var source: Source
    /// A generator's number, or the link to a modulator of the zone (`linked(to:)`).
    public var destination: UInt16
    public var amount: Int
    public var amountSource: Source
    /// 0 is linear, 2 the absolute value.
    public var transform: UInt16

    public init(
      _ source: Source, to destination: Generator, amount: Int, by amountSource: Source = .none, transform: UInt16 = 0
    ) {
      self.source = source
      self.destination = destination.rawValue
      self.amount = amount
      self.amountSource = amountSource
      self.transform = transform
    }

    /// The same, with the output going to the source of another modulator of the zone.
    public func linked(to index: Int) -> Modulator {
      var modulator = self
      modulator.destination = 0x8000 | UInt16(index)
      return modulator
    }
  }

  /// A modulator's source with its curve.
  public struct Source: Sendable, Hashable {
    public enum Curve: UInt16, Sendable, CaseIterable { case linear, concave, convex, `switch` }

    /// As the file has it.
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let none = Source(rawValue: 0)
    public static let velocity = Source(rawValue: 2)
    public static let key = Source(rawValue: 3)
    public static let keyPressure = Source(rawValue: 10)
    public static let channelPressure = Source(rawValue: 13)
    public static let pitchWheel = Source(rawValue: 14)
    public static let pitchWheelSensitivity = Source(rawValue: 16)
    public static let link = Source(rawValue: 127)
    public static func controller(_ number: Int) -> Source { Source(rawValue: 0x80 | UInt16(number)) }

    /// - Parameter falling: whether the least value gives the most.
    public func curve(_ curve: Curve, falling: Bool = false, bipolar: Bool = false) -> Source {
      Source(rawValue: rawValue & 0xFF | (falling ? 0x100 : 0) | (bipolar ? 0x200 : 0) | curve.rawValue << 10)
    }
  }
}

/// The bag, generator and modulator tables of one level, with the records that end them.
struct ZoneTables {
  private(set) var bags: [UInt8] = []
  private(set) var generators: [UInt8] = []
  private(set) var modulators: [UInt8] = []
  private(set) var firstBags: [Int] = []
  /// Without the one that ends the table.
  private(set) var bagCount = 0

  init(_ owners: [[SoundFontBytes.Zone]], target: SoundFontBytes.Generator) {
    for zones in owners {
      firstBags.append(bagCount)
      for zone in zones {
        addBag()
        for (number, amount) in zone.generators { generators += bytes16(number.rawValue, amount) }
        if let index = zone.target { generators += bytes16(target.rawValue, UInt16(index)) }
        for modulator in zone.modulators { modulators += modulator.bytes }
        bagCount += 1
      }
    }
    addBag()
    generators += [UInt8](repeating: 0, count: 4)
    modulators += [UInt8](repeating: 0, count: 10)
  }

  private mutating func addBag() {
    bags += bytes16(UInt16(generators.count / 4), UInt16(modulators.count / 10))
  }
}

extension SoundFontBytes.Modulator {
  fileprivate var bytes: [UInt8] {
    bytes16(source.rawValue, destination, UInt16(truncatingIfNeeded: amount), amountSource.rawValue, transform)
  }
}
