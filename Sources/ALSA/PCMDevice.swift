import CALSA
import Glibc

/// A PCM output as alsa-lib names it: hardware, plugins and sound servers alike.
public struct PCMDevice: Sendable, Equatable {
  /// What `PCMRequest.device` takes: `default`, `sysdefault:CARD=PCH`…
  public let name: String
  /// What alsa-lib has to say about it, on one line; empty if nothing.
  public let summary: String

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
