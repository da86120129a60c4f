import AudioGraph
import Testing

@Suite("A file player renders without a violation")
struct WatchedFilePlayerTests {
  @Test("while it is paused, goes on, stops, runs dry and begins anew")
  func lifeCycle() throws {
    let watched = WatchedEngine()
    let player = try TestNodes.playingFile()
    try watched.engine.edit { graph in
      let output = try OutputNode(channelCount: 2)
      try graph.attach(player)
      try graph.attach(output)
      try graph.connect(player, to: output)
    }
    for change in [player.pause, player.play, player.stop, player.play] {
      watched.render(1000)
      change()
    }
    watched.render(1000)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }
}
