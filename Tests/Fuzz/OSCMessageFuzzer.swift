// Any bytes as an OSC packet, which liblo reads: messages, or nothing.

@testable import SynthRemote

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOSCMessage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  for message in OSCMessage.messages(UnsafeBufferPointer(start: start, count: count)) {
    precondition(message.address.utf8.first == UInt8(ascii: "/"), "a message without an address")
    precondition(!message.packet.isEmpty, "it cannot write what it has read")
  }
  return 0
}
