/// Loudspeakers around a listener, in the order of WAVE files.
public enum SpeakerLayout: String, CaseIterable, Sendable {
  /// Two, 30° to the left and right.
  case stereo
  /// Four in the corners of a square.
  case quadraphonic = "4.0"
  /// ITU-R BS.775, with surrounds at ±110°.
  case surround51 = "5.1"
  /// ITU-R BS.2051, system I: surrounds at ±90° and ±135°.
  case surround71 = "7.1"

  /// For each channel the azimuth of its loudspeaker in degrees, positive to the right; nil for low frequencies, which
  /// have no direction.
  public var azimuths: [Float?] {
    switch self {
    case .stereo: [-30, 30]
    case .quadraphonic: [-45, 45, -135, 135]
    case .surround51: [-30, 30, 0, nil, -110, 110]
    case .surround71: [-30, 30, 0, nil, -135, 135, -90, 90]
    }
  }

  /// One for each loudspeaker, the one for low frequencies included.
  public var channelCount: Int { azimuths.count }
}
