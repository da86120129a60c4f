import CSynthALSA
import Glibc

/// What PulseAudio and PipeWire are told of this program when alsa-lib plays through them: their rules for volume, for
/// ducking and for routes go by the role, their mixers show name and icon.
public enum SoundServer {
  /// What the sound is, in the words of both servers.
  public enum Role: String, Sendable {
    /// Songs that are listened to.
    case music
    /// Playing live.
    case production
  }

  /// Sets the environment that the servers' plugins read when a device is opened. What the user has set stays. To be
  /// called before the first open, while no other thread runs. (setenv) [control thread]
  ///
  /// - Parameters:
  ///   - name: the program's, of letters and digits.
  ///   - icon: a name from the desktop's icon theme.
  public static func introduce(_ name: String, icon: String, as role: Role) {
    setenv("PULSE_PROP_media.role", role.rawValue, 0)
    setenv("PULSE_PROP_application.icon_name", icon, 0)
    // The plugin calls itself "ALSA plug-in [name]" otherwise, whatever PULSE_PROP says.
    setenv("PULSE_PROP_OVERRIDE", "application.name=\(name)", 0)
    // The name of JACK's client.
    calsa_set_program_name(name)
    let pipeWireRole = role.rawValue.prefix(1).uppercased() + role.rawValue.dropFirst()
    setenv(
      "PIPEWIRE_ALSA", "{ application.name=\(name) application.icon-name=\(icon) media.role=\(pipeWireRole) }", 0)
  }
}
