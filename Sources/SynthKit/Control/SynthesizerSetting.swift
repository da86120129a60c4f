/// What a command is asked for that has no value: "preset" alone, "pan 3".
public enum SynthesizerSetting: Sendable, Hashable {
  /// What is chosen at present; the level of all.
  case preset, instruments, soundFont, reverb, chorus, delay, gain
  /// Of a channel, 0 to 15; nil is all of them.
  case channels(ChannelStrip.Setting, UInt8?)
  /// Where the song is.
  case place
  /// How songs are played; what is recorded, kept and learned; the device and its channel map.
  case tempo, transposition, metronome, countIn, loop, recording, snapshots, learned, output, map
  /// The names of the nodes, what a node is set to, or one thing of it.
  case nodes, node(String), value(String, of: String)
}
