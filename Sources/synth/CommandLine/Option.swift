/// The options of the program, as they are spelled.
enum Option: String, CaseIterable {
  case soundFont = "--soundfont"
  case preload = "--preload"
  case preset = "--preset"
  case presetProgram = "--preset-program"
  case presetController = "--preset-controller"
  case instrument = "--instrument"
  case reverb = "--reverb"
  case chorus = "--chorus"
  case limiter = "--limiter"
  case device = "--out"
  case fallback = "--fallback"
  case map = "--map"
  case assign = "--assign"
  case channels = "--channels"
  case rate = "--rate"
  case latency = "--latency"
  case period = "--period"
  case output = "-o"
  case bits = "--bits"
  case raw = "--raw"
  case format = "--format"
  case jobs = "--jobs"
  case longest = "--longest"
  case shard = "--shard"
  case manifest = "--manifest"
  case resume = "--resume"
  case connect = "--connect"
  case noConnect = "--no-connect"
  case timing = "--timing"
  case json = "--json"
  case dot = "--dot"
  case watch = "--watch"

  /// Whether a value follows.
  var takesValue: Bool { ![.raw, .resume, .noConnect, .json, .dot, .watch].contains(self) }

  init?(spelled text: String) {
    self.init(rawValue: text == "--output" ? "-o" : text)
  }
}
