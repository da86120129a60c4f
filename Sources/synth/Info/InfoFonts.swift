import SynthInstruments
import SynthKit
import SynthMIDI

/// The soundfonts that a song would be played with, as far as their presets go.
struct InfoFonts {
  /// Of the fonts, the last first, as they are searched; none where there is no font, or none that lists presets.
  private var fonts: [SoundFontPresets]
  /// As the page names them.
  private(set) var names: String
  /// Whether songs are played with the banks in their files.
  private let playsBanks: Bool
  /// Of the bank in the song's file, if it is played.
  private(set) var bank: SoundFontPresets?

  /// - Parameter paths: those that were named; without any, the font that playing would find.
  init(_ paths: [String]) throws {
    playsBanks = paths.isEmpty
    if paths.isEmpty {
      // What cannot be told of a font that was not asked for is left out.
      let path = try? SoundFontLocator.standard().locate().path
      fonts = path.flatMap { try? SoundFontPresets(path: $0) }.map { [$0] } ?? []
      names = path ?? ""
    } else {
      var fonts: [SoundFontPresets] = []
      for path in paths { fonts.insert(try SoundFontPresets(path: path), at: 0) }
      self.fonts = fonts
      names = paths.joined(separator: ", ")
    }
  }

  /// Those of a song, on top of which is the bank in its file.
  func with(_ bank: MIDIFile.Container.Bank?) -> InfoFonts {
    guard playsBanks, let bank, (try? bank.check()) != nil, let file = try? BankFile(bank),
      let presets = try? SoundFontPresets(path: file.path)
    else { return self }
    var fonts = self
    fonts.bank = presets
    fonts.fonts.insert(presets, at: 0)
    fonts.names = "its own bank" + (names.isEmpty ? "" : ", \(names)")
    return fonts
  }

  /// What plays in place of a program that no font has; nil for a program that one has.
  ///
  /// The order in which FluidSynth and `Sampler` look: the same program of bank 0, then program 0; for drums program 0.
  func substitute(for program: SongInfo.Program) -> String? {
    let number = Int(program.number ?? 0)
    let bank = program.isDrums ? 128 : Int(program.bank)
    guard !fonts.isEmpty, name(bank, number) == nil else { return nil }
    let others = program.isDrums ? [(128, 0)] : [(0, number), (0, 0)]
    return others.lazy.compactMap { bank, number in name(bank, number).map { "\(number) \($0)" } }.first ?? "nothing"
  }

  private func name(_ bank: Int, _ program: Int) -> String? {
    fonts.lazy.compactMap { $0.name(bank: bank, program: program) }.first
  }
}
