// Any bytes as a request to a control surface: read, or refused in a line. What is read prints itself as JSON that is
// read again as the same.

import SynthText

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzControlRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONValue(parsing: bytes) else { return 0 }
  let text = value.description
  precondition(!text.utf8.contains(0x0A), "a line has a line feed in it")
  guard let again = try? JSONValue(parsing: Array(text.utf8)) else {
    preconditionFailure("it writes what it cannot read")
  }
  precondition(again.description == text, "it reads what it has written as something else")
  _ = (value["do"]?.text, value["get"]?.texts, value["midi"]?.list?.map(\.number))
  return 0
}
