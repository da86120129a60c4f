import Glibc

/// Why something cannot be read as a MIDI file.
public struct MIDIFileError: Error, Hashable, Sendable {
  /// The file's path, or what else the bytes were called.
  public let name: String
  /// What is wrong with it.
  public let cause: Cause

  public init(_ cause: Cause, reading name: String) {
    self.name = name
    self.cause = cause
  }

  /// What is wrong with it.
  public enum Cause: Error, Hashable, Sendable {
    /// The file has no bytes.
    case empty
    /// No MIDI header was found; `found` shows the first bytes.
    case notAMIDIFile(found: String)
    /// It is a file of another kind, such as "a WAV audio file".
    case anotherFile(kind: String)
    /// The file ends within its header.
    case truncatedHeader(byteCount: Int)
    /// The file is larger than the largest file read.
    case tooLarge(maximumByteCount: Int)
    /// The file could not be opened or read; `reason` is the system's text.
    case cannotRead(reason: String)
    /// It is a named pipe, a socket or a device. Of pipes only the program's own are read, as `/dev/stdin` or
    /// `/dev/fd/63`: opening a named one may wait for ever.
    case notRegular
  }
}

extension MIDIFileError: CustomStringConvertible {
  public var description: String {
    switch cause {
    case .empty:
      "reading \(name): the file is empty; choose another"
    case .notAMIDIFile(let found):
      "reading \(name): no MIDI file (it starts with \(found)); give a MIDI file (.mid, .rmi, .kar, .xmi, .mus)"
    case .anotherFile(let kind):
      "reading \(name): it is \(kind), no MIDI file; give a MIDI file (.mid, .rmi, .kar, .xmi, .mus)"
    case .truncatedHeader(let count):
      "reading \(name): the file ends within its header, after \(count) bytes; fetch it again"
    case .tooLarge(let maximum):
      "reading \(name): it is larger than \(maximum >> 20) MiB; choose a smaller one"
    case .cannotRead(let reason):
      "reading \(name): \(reason); check the name and the permissions"
    case .notRegular:
      "reading \(name): not a regular file; give a MIDI file (.mid, .rmi, .kar, .xmi, .mus)"
    }
  }
}

// A whole file into memory, through open(2) and read(2).

/// The bytes of the file at `path`, which may be a pipe that the program was started with; at most `limit` of them.
func readFile(_ path: String, limit: Int) throws(MIDIFileError.Cause) -> [UInt8] {
  var status = stat()
  guard stat(path, &status) == 0 else { throw .cannotRead(reason: systemText(errno)) }
  let isPipe = status.st_mode & S_IFMT == S_IFIFO && ["/dev/", "/proc/"].contains(where: path.hasPrefix)
  guard isPipe || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { throw .notRegular }
  // A pipe without a writer has ended, and is not waited for.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isPipe ? O_NONBLOCK : 0))
  guard descriptor >= 0 else { throw .cannotRead(reason: systemText(errno)) }
  defer { close(descriptor) }
  if isPipe { _ = fcntl(descriptor, F_SETFL, 0) }

  // The size is a hint for the first allocation only: pipes and /proc have none, and a file may grow.
  let size = Int(status.st_size)
  guard size <= limit else { throw .tooLarge(maximumByteCount: limit) }
  var bytes: [UInt8] = []
  var capacity = max(size + 1, 1 << 16)
  while true {
    var failure: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var received = 0
      repeat {
        received = read(descriptor, buffer.baseAddress, capacity)
      } while received < 0 && errno == EINTR
      if received < 0 { failure = errno }
      count = max(received, 0)
    }
    guard failure == 0 else { throw .cannotRead(reason: systemText(failure)) }
    if chunk.isEmpty { return bytes }
    if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    guard bytes.count <= limit else { throw .tooLarge(maximumByteCount: limit) }
    capacity = 1 << 16
  }
}

func systemText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "error \(code)" }
    return String(cString: start).lowercased()
  }
}
