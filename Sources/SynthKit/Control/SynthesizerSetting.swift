/// What a command is asked for that has no value: "preset" alone, "pan 3".
public enum SynthesizerSetting: Sendable, Hashable {
  /// What is chosen at present.
  case preset, instruments, soundFont
  /// What paths of the control tree mean.
  case values([String])
  /// Where the song is.
  case place
  /// How songs are played; what is recorded, kept and learned; the device and its channel map.
  case metronome, loop, recording, snapshots, learned, output, map
  /// What is inserted, the buses, and the scenes that are kept.
  case inserts, buses, scenes
  /// The names of the nodes, what a node is set to, or one thing of it.
  case nodes, node(String), value(String, of: String)
}
