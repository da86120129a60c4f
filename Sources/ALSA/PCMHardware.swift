import CALSA

/// A playback device of a sound card.
public struct PCMHardware: Sendable, Equatable {
  /// The name that stays the same however many cards come and go: `hw:CARD=PCH,DEV=0`.
  public let id: String
  /// The name by present numbers: `hw:0,0`.
  public let address: String
  /// The card's name, for people.
  public let cardName: String
  /// The device's name, for people.
  public let deviceName: String
  /// What it can do; or why that cannot be told, such as who holds it.
  public let capabilities: Result<PCMCapabilities, PCMError>

  /// The playback devices of every card, in the order of their numbers; each is opened for a moment.
  /// The corresponding C functions are `snd_card_next` and `snd_ctl_pcm_next_device`.
  public static func outputs() -> [PCMHardware] {
    ALSALibrary.prepare()
    var outputs: [PCMHardware] = []
    var card: Int32 = -1
    while snd_card_next(&card) >= 0 && card >= 0 { outputs += self.outputs(ofCard: card) }
    return outputs
  }

  private static func outputs(ofCard card: Int32) -> [PCMHardware] {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) >= 0, let control else { return [] }
    defer { snd_ctl_close(control) }
    var cardInfo: OpaquePointer?
    var info: OpaquePointer?
    snd_ctl_card_info_malloc(&cardInfo)
    snd_pcm_info_malloc(&info)
    defer {
      snd_ctl_card_info_free(cardInfo)
      snd_pcm_info_free(info)
    }
    guard let cardInfo, let info, snd_ctl_card_info(control, cardInfo) >= 0 else { return [] }
    let cardID = String(cString: snd_ctl_card_info_get_id(cardInfo))
    let cardName = String(cString: snd_ctl_card_info_get_name(cardInfo))
    var outputs: [PCMHardware] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) >= 0 && device >= 0 {
      snd_pcm_info_set_device(info, UInt32(device))
      snd_pcm_info_set_subdevice(info, 0)
      snd_pcm_info_set_stream(info, SND_PCM_STREAM_PLAYBACK)
      // A device that only captures has no such stream.
      guard snd_ctl_pcm_info(control, info) >= 0 else { continue }
      let id = "hw:CARD=\(cardID),DEV=\(device)"
      outputs.append(
        PCMHardware(
          id: id, address: "hw:\(card),\(device)", cardName: cardName,
          deviceName: String(cString: snd_pcm_info_get_name(info)),
          capabilities: Result { () throws(PCMError) in try PCMCapabilities(of: id) }))
    }
    return outputs
  }
}
