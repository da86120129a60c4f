import CALSA

// Looking around in the sequencer.

extension SequencerHandle {
  /// Every port of every client, our own included. The C functions are `snd_seq_query_next_client` and `…_port`.
  func ports() -> [SequencerPort] {
    var found: [SequencerPort] = []
    withInfos { client, port in
      snd_seq_client_info_set_client(client, -1)
      while snd_seq_query_next_client(sequencer, client) >= 0 {
        snd_seq_port_info_set_client(port, snd_seq_client_info_get_client(client))
        snd_seq_port_info_set_port(port, -1)
        while snd_seq_query_next_port(sequencer, port) >= 0 { found.append(SequencerPort(client, port)) }
      }
    }
    return found
  }

  /// The port at an address; nil if there is none any more.
  func port(at address: SequencerAddress) -> SequencerPort? {
    var found: SequencerPort?
    withInfos { client, port in
      guard snd_seq_get_any_client_info(sequencer, Int32(address.client), client) >= 0,
        snd_seq_get_any_port_info(sequencer, Int32(address.client), Int32(address.port), port) >= 0
      else { return }
      found = SequencerPort(client, port)
    }
    return found
  }

  private func withInfos(_ body: (_ client: OpaquePointer, _ port: OpaquePointer) -> Void) {
    var client: OpaquePointer?
    var port: OpaquePointer?
    snd_seq_client_info_malloc(&client)
    snd_seq_port_info_malloc(&port)
    defer {
      snd_seq_client_info_free(client)
      snd_seq_port_info_free(port)
    }
    if let client, let port { body(client, port) }
  }
}

extension SequencerPort {
  fileprivate init(_ client: OpaquePointer, _ port: OpaquePointer) {
    self.init(
      address: SequencerAddress(
        client: UInt8(truncatingIfNeeded: snd_seq_port_info_get_client(port)),
        port: UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port))),
      clientName: String(cString: snd_seq_client_info_get_name(client)),
      portName: String(cString: snd_seq_port_info_get_name(port)),
      capabilities: snd_seq_port_info_get_capability(port))
  }
}
