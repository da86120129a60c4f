/// When a file that is written has its name, and what becomes of it if it cannot be finished.
public enum AudioFileNaming: Sendable {
  /// When it is whole: what is interrupted leaves no file, and an older one stays until then.
  case whenWhole
  /// From the start, for what cannot be made again: whatever was written when a disk is full or a program killed can be
  /// opened. A file of that name is not overwritten, but an error.
  case atOnce
}
