// A whole file into memory, through open(2) and read(2).

import Glibc

/// The bytes of the file at `path`, which may be a pipe; at most `limit` of them.
func readFile(_ path: String, limit: Int) throws(MIDIFileError.Cause) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .cannotRead(reason: systemText(errno)) }
  defer { close(descriptor) }

  var status = stat()
  // The size is a hint for the first allocation only: pipes and /proc have none, and a file may grow.
  let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
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

private func systemText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "error \(code)" }
    return String(cString: start).lowercased()
  }
}
