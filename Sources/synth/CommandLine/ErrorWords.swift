import SynthALSA
import SynthAudioFiles
import SynthKit
import SynthMIDI

/// Something failed, and the errors have been told. Exit status 1.
struct ToldAlready: Error {}

/// An error as a person at the command line reads it: the libraries give remedies as values, and here they are the
/// program's own options and commands.
func errorLine(_ error: any Error) -> String {
  switch error {
  case let error as PCMError: error.line(deviceRemedy)
  case let error as AudioFileError: error.line(words)
  case let error as MIDIFileError: words(error)
  case let error as SoundFontLocatorError: error.line(words)
  case let error as ResourceError: error.line(words)
  case SynthesizerCommandError.device(let error): error.line(deviceRemedy)
  case SynthesizerCommandError.preset(let error): error.line(words)
  default: "\(error)"
  }
}

func deviceRemedy(_ remedy: PCMError.Remedy) -> String {
  switch remedy {
  case .listDevices: "`synth devices` lists them"
  case .listPresentDevices: "`synth devices` lists those there are"
  case .useDefault: "use \(Option.device.rawValue) default"
  case .chooseChannels: "see \(Option.channels.rawValue)"
  }
}

private func words(_ remedy: AudioFileError.Remedy) -> String {
  switch remedy {
  case .writeElsewhere: "write elsewhere with \(Option.output.rawValue)"
  case .createDirectory, .nameFile, .chooseName: remedy.description
  }
}

/// The library reads MIDI files, the program audio files too.
private func words(_ error: MIDIFileError) -> String {
  let remedy =
    "give a MIDI file (.mid, .rmi, .kar, .xmi, .mus) or an audio file (.wav, .flac, .ogg, .opus, .mp3, .aiff, .caf)"
  return switch error.cause {
  case .notAMIDIFile(let found):
    "reading \(error.name): neither a MIDI nor an audio file (it starts with \(found)); \(remedy)"
  case .anotherFile(let kind): "reading \(error.name): it is \(kind); \(remedy)"
  case .notRegular: "reading \(error.name): not a regular file; \(remedy)"
  case .empty, .truncatedHeader, .tooLarge, .cannotRead: "\(error)"
  }
}

private func words(_ remedy: SoundFontLocatorError.Remedy) -> String {
  switch remedy {
  case .nameSoundFont: "give \(Option.soundFont.rawValue) FILE"
  }
}

private func words(_ remedy: ResourceError.Remedy) -> String {
  switch remedy {
  case .listPresets: "\"synth presets\" lists them"
  case .listInstruments: "\"synth instruments\" lists them"
  }
}
