import Glibc

/// Planar float samples kept on disk, to be gone through once more: of a song of an hour 1.4 GB.
///
/// The file has no name, so that nothing stays of it, however the program ends. Used by one thread at a time.
package final class SampleCache {
  private let path: String
  private let channelCount: Int
  private let file: UnsafeMutablePointer<FILE>
  private var blocks: [Int] = []

  /// - Parameters:
  ///   - path: the file that is being made.
  ///   - isBeside: whether the cache is in its directory; else it is among the temporary files.
  package init(for path: String, isBeside: Bool, channelCount: Int) throws(AudioFileError) {
    self.path = path
    self.channelCount = channelCount
    guard let file = isBeside ? Self.file(beside: path) : tmpfile() else {
      throw .cannotCreate(path: "the cache for \(path)", code: errno)
    }
    self.file = file
  }

  private static func file(beside path: String) -> UnsafeMutablePointer<FILE>? {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = "\(directory).synth-\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    unlink(name)
    let file = fdopen(descriptor, "w+")
    if file == nil { close(descriptor) }
    return file
  }

  deinit { fclose(file) }

  /// Appends a block of `frameCount` frames.
  package func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioFileError) {
    guard frameCount > 0 else { return }
    blocks.append(frameCount)
    for channel in 0..<channelCount {
      guard fwrite(channels[channel], MemoryLayout<Float>.stride, frameCount, file) == frameCount else {
        throw failure
      }
    }
  }

  /// Goes through all blocks from the first on, until `body` returns false.
  ///
  /// - Parameter channels: memory for the longest block.
  package func forEachBlock(
    in channels: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ body: (_ frameCount: Int) throws(AudioFileError) -> Bool
  ) throws(AudioFileError) {
    guard fflush(file) == 0 else { throw failure }
    rewind(file)
    for frameCount in blocks {
      for channel in 0..<channelCount {
        guard fread(channels[channel], MemoryLayout<Float>.stride, frameCount, file) == frameCount else {
          throw failure
        }
      }
      guard try body(frameCount) else { return }
    }
  }

  private var failure: AudioFileError { AudioFileError(writing: "the cache for \(path)", code: errno) }
}
