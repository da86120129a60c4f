import SynthInstruments
import SynthSoundFonts

/// The presets that a SoundFont lists, read without its samples: a big font takes a millisecond or two.
public struct SoundFontPresets: Sendable {
  private struct Place: Hashable {
    let bank: Int
    let program: Int
  }

  private let names: [Place: String]

  /// Reads the list of a font, .sf2 or .sf3. [control thread]
  ///
  /// - Throws: `InstrumentError` for a file that cannot be read or is no SoundFont.
  public init(path: String) throws(InstrumentError) {
    do throws(SoundFontError) {
      let presets = try SoundFont(path: path).presets
      names = Dictionary(
        presets.map { (Place(bank: $0.bank, program: $0.program), $0.name) }, uniquingKeysWith: { first, _ in first })
    } catch {
      throw InstrumentError(error)
    }
  }

  /// Bank, program and name of each preset, in this order.
  public var all: [(bank: Int, program: Int, name: String)] {
    names.map { ($0.key.bank, $0.key.program, $0.value) }.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }

  /// The name of a preset; nil where the font does not have it. Drums are in bank 128.
  public func name(bank: Int, program: Int) -> String? { names[Place(bank: bank, program: program)] }
}
