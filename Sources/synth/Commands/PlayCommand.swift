import ALSA
import SynthKit

/// `synth SONG.mid …`: plays songs on an ALSA device.
struct PlayCommand {
  private let paths: [String]
  private let sound: SoundOptions
  private let devices: DeviceOptions

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: SoundOptions.options + DeviceOptions.options)
    if arguments.operands.isEmpty { throw .missing("name a MIDI file to play") }
    paths = arguments.operands
    sound = try SoundOptions(arguments)
    devices = try DeviceOptions(arguments)
  }

  func run() throws {
    let songs = try paths.map { try SongFile(path: $0) }
    let sound = try Sound(sound)
    for song in songs { sound.warn(ofChannelsUnusedBy: song) }
    let player = try SongPlayer(
      devices.requests, sound.configuration(preload: sound.preload(for: songs)), assignments: devices.assignments)
    Terminal.tell("\(sound.summary)\n\(player.device.facts)")
    var news = player.device.outputs.map { _ in DeviceNews(isLive: false) }
    var console = Console(player.synthesizer, sound, songCount: songs.count)
    for song in songs where try play(song, with: player, &console, &news) == .quit { break }
    console.end()
    for line in player.device.driftReport { Terminal.note(line) }
    if let complaint = DeviceNews.complaint(of: player.device) { Terminal.note(complaint) }
  }

  /// Plays a song to its end, or until something else is wished for.
  private func play(
    _ song: SongFile, with player: SongPlayer, _ console: inout Console, _ news: inout [DeviceNews]
  ) throws -> Console.Wish? {
    try player.start(song.song)
    defer { Terminal.endProgress() }
    while player.isPlaying {
      if Interruption.isRequested {
        player.stop()
        player.wait()
        throw Interrupted()
      }
      for (index, output) in player.device.outputs.enumerated() { news[index].tell(of: output) }
      if let wish = console.turn(meter: { line(song, player) }) {
        player.fadeOut()
        return wish
      }
    }
    player.wait()
    return nil
  }

  private func line(_ song: SongFile, _ player: SongPlayer) -> String {
    let position = "\(clock(player.position)) / \(clock(song.song.duration))"
    let xruns = player.device.xruns
    return "\(position)  \(meterText(peak: player.takePeak()))  "
      + "\(player.synthesizer.instruments.activeVoiceCount) voices  \(xruns > 0 ? "\(xruns) xruns  " : "")"
      + "\(player.device.driftMeter)\(song.name)"
  }
}
