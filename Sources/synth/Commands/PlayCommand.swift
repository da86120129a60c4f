import ALSA
import DSP
import Glibc
import SynthKit

/// `synth SONG.mid …`: plays songs on an ALSA device.
struct PlayCommand {
  private let arguments: Arguments

  init(_ tokens: [String]) throws(UsageError) {
    arguments = try Arguments(tokens, allowed: SoundOptions.options + [.device])
    if arguments.operands.isEmpty { throw .missing("name a MIDI file to play") }
  }

  func run() throws {
    let request = PCMRequest(
      device: arguments.last(.device) ?? "default",
      channels: try arguments.number(.channels, in: 1...64),
      rate: try arguments.number(.rate, in: 8000...96000))
    let songs = try arguments.operands.map { try SongFile(path: $0) }
    let sound = try SoundOptions(arguments)
    let player = try SongPlayer(request, sound.configuration())
    Terminal.tell("\(sound.summary)\ndevice     \(player.device.parameters)")
    for song in songs { try play(song, with: player) }
    let xruns = player.device.statistics.xruns
    if xruns > 0 { Terminal.note("\(xruns) xruns: the machine was too slow now and then") }
  }

  private func play(_ song: SongFile, with player: SongPlayer) throws {
    try player.start(song.song)
    defer { Terminal.endProgress() }
    while player.isPlaying {
      if Interruption.isRequested {
        player.stop()
        try player.wait()
        throw Interrupted()
      }
      Terminal.progress(line(song, player))
      usleep(50_000)
    }
    try player.wait()
  }

  private func line(_ song: SongFile, _ player: SongPlayer) -> String {
    let level = Decibels(amplitude: Double(player.takePeak()))
    let position = "\(clock(player.position)) / \(clock(song.song.duration))"
    let meter = bar((level.value + 60) / 60, width: 12)
    return "\(position)  \(meter) \(tenths(max(level.value, -99))) dB  "
      + "\(player.synthesizer.sampler.activeVoiceCount) voices  \(song.name)"
  }
}
