import SynthAudioFiles
import SynthText

/// Why something is not recorded.
public enum RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What sources play was to be recorded into this file, and there are none.
  case noKeyboards(String)
  /// The name tells nothing that could be recorded.
  case noFile(String)
  /// The part of the mix is not there, or cannot be heard alone.
  case noStrip(String, Strip)
  /// A MIDI file cannot have the notes of a part of the mix alone.
  case notesOfStrip(String, Strip)
  /// A recording of an input was to have another rate, in hertz, than the input, which is not resampled.
  case rate(wanted: Int, input: String, granted: Double)
  /// The path of what is being saved; one file is saved at a time.
  case alreadySaving(String)
  /// There is nothing to save.
  case nothingPlayed
  /// The audio file cannot be written.
  case file(AudioFileError)
  /// The MIDI file cannot be written.
  case midi(String)
  /// The sound cannot be tapped or rendered for this file.
  case sound(String, reason: String)

  public var description: String {
    switch self {
    case .noKeyboards(let path): "writing \(path): no keyboards are joined, whose notes it would have"
    case .noFile(let path):
      "recording \(path.isEmpty ? "nowhere" : path): give a name that ends in \(AudioFileContainer.extensions); "
        + "for the notes alone in .mid"
    case .noStrip(let path, .click):
      "writing \(path): the click is mixed into main; to click BUS leads it to a bus, which can be recorded"
    case .noStrip(let path, let strip): "writing \(path): \(InsertError.noStrip(strip))"
    case .notesOfStrip(let path, let strip):
      "writing \(path): a MIDI file has the notes of all keyboards; leave \"from \(strip)\" out, or give an audio file"
    case .rate(let wanted, let input, let granted):
      "recording \(input) at \(wanted) Hz: it captures at \(NumberFormatting.text(granted)) Hz; leave the rate out, or ask "
        + "for \(NumberFormatting.text(granted))"
    case .alreadySaving(let path): "saving: \(path) is being written; wait until it is done"
    case .nothingPlayed: "saving: nothing has been played yet"
    case .file(let error): "\(error)"
    case .midi(let problem): problem
    case .sound(let path, let reason): "writing \(path): \(reason)"
    }
  }
}
