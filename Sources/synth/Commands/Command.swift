import AudioGraph
import Glibc
import SynthKit
import Text

/// What the command line asks for.
enum Command {
  case play(PlayCommand)
  case render(RenderCommand)
  case presets(PresetsCommand)
  case instruments(InstrumentsCommand)
  case devices(DevicesCommand)
  case graph(GraphCommand)
  case info(InfoCommand)
  case help
  case version

  static let release = "0.1.0"

  init(_ tokens: [String]) throws(UsageError) {
    let asksForHelp = tokens.first == "help" || tokens.contains("--help") || tokens.contains("-h")
    if asksForHelp {
      self = .help
    } else if tokens.contains("--version") {
      self = .version
    } else {
      let rest = Array(tokens.dropFirst())
      self =
        switch tokens.first {
        case "render": .render(try RenderCommand(rest))
        case "presets": .presets(try PresetsCommand(rest))
        case "instruments": .instruments(try InstrumentsCommand(rest))
        case "devices": .devices(try DevicesCommand(rest))
        case "graph": .graph(try GraphCommand(rest))
        case "info": .info(try InfoCommand(rest))
        default: try Self.playing(tokens)
        }
    }
  }

  /// Songs if any are named, or keyboards.
  private static func playing(_ tokens: [String]) throws(UsageError) -> Command {
    if let word = tokens.first, NotText.shown(word) == nil, !word.contains(where: { "-./".contains($0) }),
      access(word, F_OK) != 0
    {
      let commands = ["render", "presets", "instruments", "devices", "graph", "info"]
      throw .unknownCommand(word, nearest: EditDistance.nearest(to: word, among: commands))
    }
    return .play(try PlayCommand(tokens))
  }

  func run() throws {
    switch self {
    case .play(let command): try command.run()
    case .render(let command): try command.run()
    case .presets(let command): try command.run()
    case .instruments(let command): command.run()
    case .devices(let command): try command.run()
    case .graph(let command): try command.run()
    case .info(let command): try command.run()
    case .help: print(usage)
    case .version: print("synth \(Self.release)")
    }
  }
}
