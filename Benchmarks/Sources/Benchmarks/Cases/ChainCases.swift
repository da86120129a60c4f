import AudioGraph
import SynthKit

extension Case {
  /// All of the synthesizer's chain but its sampler, whole, with sixteen sounding channels.
  static func chain() throws -> [Case] {
    try ["flat", "pop"].map { preset in
      let equalizer = EqualizerNode(curve: try EqualizerPresetLibrary.standard().preset(preset).curve)
      let mixer = MixerNode(inputBusCount: 16)
      return Case(
        "chain without sampler, \(preset)",
        try Work { graph in
          try graph.attach(mixer)
          try graph.attach(equalizer)
          for bus in 0..<mixer.inputBusCount {
            let source = noise()
            try graph.attach(source)
            try graph.connect(source, to: mixer, toBus: bus)
          }
          try graph.connect(mixer, to: equalizer)
          return equalizer
        })
    }
  }
}
