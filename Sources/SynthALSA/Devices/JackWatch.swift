import CSynthALSA
import Glibc

/// Tells whether headphones are plugged into a card, by the controls that its driver has for its jacks. One thread uses
/// it. [control thread]
final class JackWatch {
  private let control: OpaquePointer
  /// Becomes readable when a control of the card changes, and when the card is removed.
  let file: Int32
  private var isPlugged: Bool

  /// What has become of the jacks.
  enum Change {
    case pluggedIn
    case unplugged
    /// The card has been removed: it cannot go while this is open.
    case gone
  }

  /// Nil if the card has no jack for headphones. The corresponding C functions are `snd_ctl_open` and
  /// `snd_ctl_subscribe_events`.
  init?(card: Int32) {
    var opened: OpaquePointer?
    let mode = Int32(SND_CTL_NONBLOCK | SND_CTL_READONLY)
    guard snd_ctl_open(&opened, "hw:\(card)", mode) >= 0, let opened else { return nil }
    var descriptor = pollfd()
    guard snd_ctl_subscribe_events(opened, 1) >= 0, snd_ctl_poll_descriptors(opened, &descriptor, 1) == 1,
      let isPlugged = Self.isPlugged(opened)
    else {
      snd_ctl_close(opened)
      return nil
    }
    (control, file, self.isPlugged) = (opened, descriptor.fd, isPlugged)
  }

  deinit { snd_ctl_close(control) }

  /// What has changed since the last call; nil if nothing has.
  func change() -> Change? {
    var event: OpaquePointer?
    guard snd_ctl_event_malloc(&event) >= 0, let event else { return nil }
    defer { snd_ctl_event_free(event) }
    var code: Int32
    repeat { code = snd_ctl_read(control, event) } while code > 0
    guard code == 0 || code == -EAGAIN, let isPlugged = Self.isPlugged(control) else { return .gone }
    guard isPlugged != self.isPlugged else { return nil }
    self.isPlugged = isPlugged
    return isPlugged ? .pluggedIn : .unplugged
  }

  /// Whether a control tells of headphones: `Headphone Jack`, `Front Headphone Jack`, `Headset Jack` and the like, but
  /// not a microphone's, nor one that the driver cannot sense.
  static func isForHeadphones(_ name: String) -> Bool {
    name.hasSuffix(" Jack") && (name.contains("Headphone") || name.contains("Headset"))
      && !name.contains("Mic") && !name.contains("Phantom")
  }

  /// Whether any of the card's jacks for headphones is in use; nil if it has none.
  private static func isPlugged(_ control: OpaquePointer) -> Bool? {
    var list: OpaquePointer?
    var value: OpaquePointer?
    snd_ctl_elem_list_malloc(&list)
    snd_ctl_elem_value_malloc(&value)
    defer {
      snd_ctl_elem_list_free(list)
      snd_ctl_elem_value_free(value)
    }
    guard let list, let value, snd_ctl_elem_list(control, list) >= 0,
      snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) >= 0
    else { return nil }
    defer { snd_ctl_elem_list_free_space(list) }
    guard snd_ctl_elem_list(control, list) >= 0 else { return nil }
    var found: Bool?
    for index in 0..<snd_ctl_elem_list_get_used(list)
    where snd_ctl_elem_list_get_interface(list, index) == SND_CTL_ELEM_IFACE_CARD
      && isForHeadphones(String(cString: snd_ctl_elem_list_get_name(list, index)))
    {
      snd_ctl_elem_value_set_numid(value, snd_ctl_elem_list_get_numid(list, index))
      guard snd_ctl_elem_read(control, value) >= 0 else { continue }
      found = found == true || snd_ctl_elem_value_get_boolean(value, 0) != 0
    }
    return found
  }
}
