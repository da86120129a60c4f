// Any bytes as a playlist: each entry is a path that the system would take.

import SynthKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlaylist(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let list = PlaylistFile(bytes: [UInt8](UnsafeBufferPointer(start: start, count: count)), path: "/music/list.m3u")
  precondition(list.entries.count <= count && list.problems.count <= 6, "entries outgrow the file")
  for entry in list.entries {
    precondition(entry.path.hasPrefix("/") && !entry.path.utf8.contains(0), "no path")
    precondition(entry.path.utf8.count <= 4096 + 7 && entry.title?.isEmpty != true, "a path too long, or no title")
  }
  for problem in list.problems { precondition(problem.utf8.count <= 3 * count + 100, "a problem outgrows the file") }
  return 0
}
