import CSynthALSA
import SynthALSA
import Testing

/// A port that can be read, such as a keyboard's.
private func port(
  _ client: UInt8, _ port: UInt8 = 0, client clientName: String = "Keys", port portName: String = "Keys MIDI 1",
  capabilities: Int32 = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
) -> SequencerPort {
  SequencerPort(
    address: SequencerAddress(client: client, port: port), clientName: clientName, portName: portName,
    capabilities: UInt32(capabilities))
}

private let readable = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ

@Suite("A sequencer joins")
struct SourceSelectionTests {
  @Test("every port that others may read, of hardware and of programs")
  func all() {
    #expect(SourceSelection.all.includes(port(24)))
    #expect(SourceSelection.all.includes(port(130, 3, capabilities: readable | SND_SEQ_PORT_CAP_WRITE)))
  }

  @Test(
    "neither the System client, nor Midi Through, nor what only takes events, nor what is hidden",
    arguments: [
      port(0, 1, client: "System", port: "Announce"),
      port(14, client: "Midi Through", port: "Midi Through Port-0"),
      port(24, capabilities: SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
      port(24, capabilities: SND_SEQ_PORT_CAP_READ),
      port(24, capabilities: readable | SND_SEQ_PORT_CAP_NO_EXPORT),
    ])
  func notThese(port: SequencerPort) {
    #expect(!SourceSelection.all.includes(port))
  }

  @Test("the groups of a MIDI 2.0 device and not its endpoint, which would double every note")
  func endpoint() {
    #expect(!SourceSelection.all.includes(port(24, 0, capabilities: readable | 1 << 9)))
    #expect(SourceSelection.all.includes(port(24, 1)))
  }

  @Test(
    "what is named by its address or by a part of a name, whatever the case",
    arguments: ["24:1", "keys", "KEYS MIDI", "eys M", "Midi through"])
  func named(wish: String) {
    let ports = [port(24, 1), port(24, 2, client: "Drums", port: "Pads"), port(14, client: "Midi Through", port: "x")]
    let selection = SourceSelection.named([wish])
    #expect(ports.filter(selection.includes).count == 1)
    #expect(selection.unfulfilled(by: ports).isEmpty)
    #expect(selection.unfulfilled(by: [ports[1]]) == [wish])
  }

  @Test("no text that looks like an address by name", arguments: ["24:", ":1", "24:1:0", "256:0", "24:-1", "a:b"])
  func notAnAddress(text: String) {
    #expect(SequencerAddress(text) == nil)
  }

  @Test("nothing, if nothing is to be joined")
  func none() {
    #expect(!SourceSelection.none.includes(port(24)))
  }

  @Test("a port that returns under another number, by its client's and its own name")
  func returned() {
    var selection = SourceSelection.named(["24:0"])
    selection.remember(port(24))
    #expect(selection.includes(port(28, 1)))
    #expect(!selection.includes(port(28, 1, port: "Keys MIDI 2")))
    #expect(!selection.includes(port(28, 1, client: "Other")))
    selection.forget(port(28, 1))
    #expect(!selection.includes(port(28, 1)))
  }
}

@Suite("A port describes itself")
struct SequencerPortTests {
  @Test("by its name alone where that repeats the client's, else by both")
  func description() {
    #expect("\(port(24))" == "Keys MIDI 1 (24:0)")
    #expect("\(port(129, 2, client: "vmpk", port: "out"))" == "vmpk, out (129:2)")
  }
}
