extension PCMRequest {
  /// Under which name the device is known however many cards come and go, and whichever way it was asked for:
  /// `hw:CARD=PCH,DEV=0` for `hw:0`, `hw:PCH,0` and the like. Names that hold no card are as they were given.
  public static func lastingName(of device: String) -> String {
    let name = HardwareName.lasting(device)
    guard ["hw:CARD=", "plughw:CARD="].contains(where: name.hasPrefix), !name.contains(",DEV=") else { return name }
    return name + ",DEV=0"
  }
}
