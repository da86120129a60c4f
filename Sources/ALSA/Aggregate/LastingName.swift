extension PCMRequest {
  /// Under which name the device is known however many cards come and go, and whichever way it was asked for:
  /// `hw:CARD=PCH,DEV=0` for `hw:0`, `hw:PCH,0` and the like. Names that hold no card are as they were given.
  public static func lastingName(of device: String) -> String {
    let parts = HardwareName.lasting(device).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return device }
    let keys = ["CARD=", "DEV=", "SUBDEV="]
    var arguments = zip(parts[1].split(separator: ","), keys).map { argument, key in
      argument.contains("=") ? String(argument) : key + argument
    }
    if arguments.count == 1 { arguments.append("DEV=0") }
    return "\(parts[0]):\(arguments.joined(separator: ","))"
  }
}
