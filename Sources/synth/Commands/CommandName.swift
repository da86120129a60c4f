/// The commands of the program, as they are spelled.
enum CommandName: String, CaseIterable {
  case play, render, record, through, send, info, font, presets, instruments, devices, ctl, doctor, graph, tone, config

  /// The command a command line is about; playing needs no word for it.
  init(of tokens: [String]) {
    self = tokens.first.flatMap(CommandName.init) ?? .play
  }

  var command: any Command.Type {
    switch self {
    case .play: PlayCommand.self
    case .render: RenderCommand.self
    case .record: RecordCommand.self
    case .through: ThroughCommand.self
    case .send: SendCommand.self
    case .info: InfoCommand.self
    case .font: FontCommand.self
    case .presets: PresetsCommand.self
    case .instruments: InstrumentsCommand.self
    case .devices: DevicesCommand.self
    case .ctl: CtlCommand.self
    case .doctor: DoctorCommand.self
    case .graph: GraphCommand.self
    case .tone: ToneCommand.self
    case .config: ConfigCommand.self
    }
  }
}
