import ALSA
import DSP
import Glibc
import SynthKit

/// `synth SONG.mid …`: plays songs on an ALSA device.
struct PlayCommand {
  private let arguments: Arguments

  init(_ tokens: [String]) throws(UsageError) {
    arguments = try Arguments(tokens, allowed: SoundOptions.options + DeviceOptions.options)
    if arguments.operands.isEmpty { throw .missing("name a MIDI file to play") }
  }

  func run() throws {
    let devices = try DeviceOptions(arguments)
    let songs = try arguments.operands.map { try SongFile(path: $0) }
    let sound = try SoundOptions(arguments)
    let player = try SongPlayer(
      devices.requests, sound.configuration(preload: sound.preload(for: songs)), assignments: devices.assignments)
    Terminal.tell("\(sound.summary)\n\(player.device.facts)")
    var news = player.device.outputs.map { _ in DeviceNews(isLive: false) }
    for song in songs { try play(song, with: player, &news) }
    for line in player.device.driftReport { Terminal.note(line) }
    if let complaint = DeviceNews.complaint(of: player.device) { Terminal.note(complaint) }
  }

  private func play(_ song: SongFile, with player: SongPlayer, _ news: inout [DeviceNews]) throws {
    try player.start(song.song)
    defer { Terminal.endProgress() }
    while player.isPlaying {
      if Interruption.isRequested {
        player.stop()
        player.wait()
        throw Interrupted()
      }
      for (index, output) in player.device.outputs.enumerated() { news[index].tell(of: output) }
      Terminal.progress(line(song, player))
      usleep(50_000)
    }
    player.wait()
  }

  private func line(_ song: SongFile, _ player: SongPlayer) -> String {
    let level = Decibels(amplitude: Double(player.takePeak()))
    let position = "\(clock(player.position)) / \(clock(song.song.duration))"
    let meter = bar((level.value + 60) / 60, width: 12)
    let xruns = player.device.xruns
    return "\(position)  \(meter) \(tenths(max(level.value, -99))) dB  "
      + "\(player.synthesizer.instruments.activeVoiceCount) voices  \(xruns > 0 ? "\(xruns) xruns  " : "")"
      + "\(player.device.driftMeter)\(song.name)"
  }
}
