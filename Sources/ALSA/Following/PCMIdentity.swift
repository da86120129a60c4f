import CALSA

/// What is behind a name like `default`: a device of a card, or a sound server.
struct PCMIdentity: Sendable, Equatable {
  /// The card's number, negative if there is no card.
  let card: Int32
  let device: UInt32
  /// The driver's or the plugin's name for it.
  let name: String
}

extension PCMHandle {
  /// Nil if it does not tell. The corresponding C function is `snd_pcm_info`.
  var identity: PCMIdentity? {
    var allocated: OpaquePointer?
    guard snd_pcm_info_malloc(&allocated) >= 0, let info = allocated else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) >= 0 else { return nil }
    return PCMIdentity(
      card: snd_pcm_info_get_card(info), device: snd_pcm_info_get_device(info),
      name: String(cString: snd_pcm_info_get_id(info)))
  }
}
