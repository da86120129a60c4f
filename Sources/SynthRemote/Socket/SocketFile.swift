import Glibc
import SynthFiles

/// A socket's file, which is removed unless another has taken its place.
struct SocketFile: Sendable {
  let path: String
  private let device: dev_t
  private let number: ino_t

  init(_ path: String) {
    var status = stat()
    lstat(path.cPath, &status)
    (self.path, device, number) = (path, status.st_dev, status.st_ino)
  }

  func remove() {
    var status = stat()
    if lstat(path.cPath, &status) == 0, (status.st_dev, status.st_ino) == (device, number) { unlink(path.cPath) }
  }
}
