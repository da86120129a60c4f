import Glibc
import SynthALSA
import SynthKit
import SynthMIDI

/// `synth send`: plays MIDI files on a hardware synthesizer or another program, through the ALSA sequencer.
struct SendCommand: Command {
  static let options: [Option] = [.to, .clock, .tempo]

  private let operands: [String]
  private let port: String
  private let sendsClock: Bool
  private let rate: Double

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    if arguments.operands.isEmpty { throw .missing("name a MIDI file to send") }
    operands = arguments.operands
    guard let port = arguments.last(.to), !port.isEmpty else {
      throw .missing("say where the song is to be played: --to a port's number or a part of its name")
    }
    self.port = port
    sendsClock = arguments.has(.clock)
    let tempo = arguments.last(.tempo)
    rate = tempo.flatMap(SongSpeed.tempo) ?? 1
    if let tempo, SongSpeed.tempo(parsing: tempo) == nil {
      throw .badValue(.tempo, tempo, expected: SongSpeed.expectedTempo)
    }
  }

  /// A song that cannot be read does not keep the others from being played.
  func run() throws {
    let songs = SongList(operands, readsInput: true)
    if songs.entries.isEmpty, songs.problems.isEmpty { throw NoSongs(operands, songs) }
    for problem in songs.problems { Terminal.error(problem) }
    let ports = try SequencerPorts()
    guard let destination = ports.destination(named: port) else {
      throw NoDestination(wish: port, present: ports.all().filter { $0.isDestination && $0.address.client != 0 })
    }
    let output = try SequencerOutput()
    try output.connect(destination)
    Terminal.tell("output     \(destination)")
    var failed = !songs.problems.isEmpty
    Interruption.watch()
    for entry in songs.entries where !Interruption.isRequested {
      do {
        let file = try SongFile(path: entry.path, playsBank: false)
        if file.song.sound != nil { throw NotToSend(path: entry.path) }
        for warning in file.warnings { Terminal.warn(warning) }
        var sender = SongSender(file.song, to: output, rate: rate, sendsClock: sendsClock)
        try sender.send { Terminal.progress(StatusLine(rest: "\($0)  \(entry.name)")) }
      } catch let error as SequencerError {
        throw error
      } catch {
        failed = true
        Terminal.error(errorLine(error))
      }
    }
    Terminal.endProgress()
    if Interruption.isRequested { throw Interrupted() }
    if failed { throw ToldAlready() }
  }
}

/// No port is what was asked for.
private struct NoDestination: Error, CustomStringConvertible {
  let wish: String
  let present: [SequencerPort]

  var description: String {
    let names = present.map(\.description).joined(separator: "; ")
    let remedy = present.isEmpty ? "there are none: connect one" : "there are: \(names)"
    return "sending to \(wish): no MIDI port that can be sent to has that number or name; \(remedy)"
  }
}

private struct NotToSend: Error, CustomStringConvertible {
  let path: String

  var description: String { "sending \(path): it is an audio file, which has no notes; give a MIDI file" }
}
