/// Who asks for something. Each asker may do all that the lesser ones may; `docs/control.md` has the table.
public enum Asker: Int, Sendable, Comparable, CaseIterable {
  /// Anybody who can send to an address of this machine: OSC over UDP. Plays notes and sets parameters.
  case network
  /// A browser on the web page. Chooses what is listed, and writes files by name into one directory.
  case page
  /// A process of the owner's, told by the mode of a socket's file: `synth ctl`. May end the program too.
  case socket
  /// The person at the terminal, the command line and the configuration: may name any path and any device.
  case owner

  public static func < (one: Asker, other: Asker) -> Bool { one.rawValue < other.rawValue }
}
