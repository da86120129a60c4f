import CSynthALSA
import Glibc

/// A playback or capture device of a sound card.
public struct PCMHardware: Sendable, Hashable {
  /// Whether it plays or captures.
  public let direction: PCMDirection
  /// The name that does not depend on the order of the cards: `hw:CARD=PCH,DEV=0`.
  public let id: String
  /// The name by present numbers: `hw:0,0`.
  public let address: String
  /// The card's name, for people.
  public let cardName: String
  /// The device's name, for people.
  public let deviceName: String

  private let location: HardwareName

  /// What it supports. Opens the device for a moment; a busy device is an error. [any thread]
  public func capabilities() throws(PCMError) -> PCMCapabilities { try PCMCapabilities(of: id, direction) }

  /// The processes that have it open, as far as they are visible. A device may serve several at a time.
  public var holders: [DeviceHolder] { DeviceHolder.holders(of: location, direction) }

  /// The program of this desktop that has reserved the card, by the name it gives itself; nil if none has. Waits for
  /// the answer. [control thread]
  public var reservation: String? { DeviceReservation.owner(ofCard: location.card) }

  /// The devices of every card, in the order of their numbers; none is opened.
  /// The corresponding C functions are `snd_card_next` and `snd_ctl_pcm_next_device`.
  public static func all(_ direction: PCMDirection) -> [PCMHardware] {
    ALSALibrary.prepare()
    var devices: [PCMHardware] = []
    var card: Int32 = -1
    while snd_card_next(&card) >= 0 && card >= 0 { devices += all(direction, ofCard: card) }
    return devices
  }

  private static func all(_ direction: PCMDirection, ofCard card: Int32) -> [PCMHardware] {
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
    var devices: [PCMHardware] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) >= 0 && device >= 0 {
      snd_pcm_info_set_device(info, UInt32(device))
      snd_pcm_info_set_subdevice(info, 0)
      snd_pcm_info_set_stream(info, direction.alsa)
      // A device of the other direction only has no such stream.
      guard snd_ctl_pcm_info(control, info) >= 0 else { continue }
      devices.append(
        PCMHardware(
          direction: direction, id: "hw:CARD=\(cardID),DEV=\(device)", address: "hw:\(card),\(device)",
          cardName: cardName, deviceName: String(cString: snd_pcm_info_get_name(info)),
          location: HardwareName(card: card, device: device)))
    }
    return devices
  }
}

/// A PCM output as alsa-lib names it: hardware, plugins and sound servers alike.
public struct PCMDevice: Sendable, Equatable {
  /// What `PCMRequest.device` takes: `default`, `sysdefault:CARD=PCH`…
  public let name: String
  /// alsa-lib's description, on one line; empty if it has none.
  public let summary: String

  /// Has alsa-lib read its configuration again at the next open. It reads it once, and what `default` stands for
  /// depends on the cards that were there then. (snd_config_update_free_global) [control thread]
  public static func forgetConfiguration() { snd_config_update_free_global() }

  /// Every output that the configuration shows. The corresponding C function is `snd_device_name_hint`.
  public static func outputs() -> [PCMDevice] {
    ALSALibrary.prepare()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var devices: [PCMDevice] = []
    var next = hints
    while let hint = next.pointee {
      // IOID is missing where a PCM has both directions.
      if let name = text("NAME", of: hint), text("IOID", of: hint) != "Input" {
        let lines = text("DESC", of: hint)?.split(separator: "\n") ?? []
        devices.append(PCMDevice(name: name, summary: lines.joined(separator: ", ")))
      }
      next += 1
    }
    return devices
  }

  private static func text(_ key: String, of hint: UnsafeMutableRawPointer) -> String? {
    guard let text = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
