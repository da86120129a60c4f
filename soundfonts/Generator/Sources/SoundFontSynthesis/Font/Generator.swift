// The generators and modulators of the SoundFont 2.04 specification (chapter 8) that the font uses.
import Glibc

/// Generator numbers (SoundFont 2.04, 8.1.2).
enum Generator: UInt16 {
  case modLFOToPitch = 5
  case vibratoLFOToPitch = 6
  case modEnvelopeToPitch = 7
  case filterCutoff = 8
  case filterQ = 9
  case modLFOToFilter = 10
  case modEnvelopeToFilter = 11
  case modLFOToVolume = 13
  case chorusSend = 15
  case reverbSend = 16
  case pan = 17
  case modLFODelay = 21
  case modLFOFrequency = 22
  case vibratoLFODelay = 23
  case vibratoLFOFrequency = 24
  case modEnvelopeDelay = 25
  case modEnvelopeAttack = 26
  case modEnvelopeHold = 27
  case modEnvelopeDecay = 28
  case modEnvelopeSustain = 29
  case modEnvelopeRelease = 30
  case volumeDelay = 33
  case volumeAttack = 34
  case volumeHold = 35
  case volumeDecay = 36
  case volumeSustain = 37
  case volumeRelease = 38
  case keyToVolumeDecay = 40
  case instrument = 41
  case keyRange = 43
  case attenuation = 48
  case coarseTune = 51
  case fineTune = 52
  case sampleID = 53
  case sampleModes = 54
  case scaleTuning = 56
  case exclusiveClass = 57
  case overridingRootKey = 58
}

/// One generator with its amount.
struct GeneratorValue {
  let generator: Generator
  let amount: UInt16

  init(_ generator: Generator, _ amount: Int) {
    self.generator = generator
    self.amount = UInt16(bitPattern: Int16(clamping: amount))
  }

  init(_ generator: Generator, _ range: ClosedRange<Int>) {
    self.generator = generator
    amount = UInt16(range.lowerBound & 0x7F) | UInt16(range.upperBound & 0x7F) << 8
  }
}

/// One modulator record without its transform, which is always linear.
struct Modulator {
  let source: UInt16
  let destination: Generator
  let amount: Int

  /// Velocity closes the filter: nothing at 127, `cents` at 0. Same source as the standard's own second default
  /// modulator, which it therefore replaces in players that have one.
  static func softVelocityCloses(cents: Double) -> Modulator {
    Modulator(source: 0x0102, destination: .filterCutoff, amount: -Int(cents))
  }
}

/// Seconds as timecents; nothing below 1 ms is told apart.
func timecents(_ seconds: Double) -> Int { seconds <= 0.001 ? -12_000 : Int((1_200 * log2(seconds)).rounded()) }

/// Hz as absolute cents, 0 being 8.176 Hz.
func absoluteCents(_ frequency: Double) -> Int { Int((1_200 * log2(frequency / 8.1758)).rounded()) }
