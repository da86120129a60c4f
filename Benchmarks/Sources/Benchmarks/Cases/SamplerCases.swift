import AudioGraph
import SynthInstruments
import SynthMIDI

extension Case {
  /// The sampler node, and beside it FluidSynth alone with the same notes.
  static func sampler() throws -> [Case] {
    let font = try SoundFont.small()
    return try [0, 32, 128].flatMap { voiceCount in
      [
        Case(
          "sampler, \(voiceCount) voices", try sampler(font, voiceCount: voiceCount),
          without: try sources(of: EmptyNode(inputs: 0, outputs: RackNode.channelCount))),
        Case("FluidSynth alone, \(voiceCount) voices", try bareFluidSynth(font, voiceCount: voiceCount)),
      ]
    }
  }

  private static func sampler(_ font: String, voiceCount: Int) throws -> Work {
    var configuration = SamplerConfiguration(soundFonts: [font])
    configuration.engine = .fluidSynth
    let sampler = try RackNode(configuration, sampleRate: Work.sampleRate)
    let work = try sources(of: sampler)
    try HeldNotes.play(voiceCount) { message in
      _ = sampler.events.send(MIDIEvent(time: 0, message: message))
      work.run(1)
      return sampler.activeVoiceCount
    }
    return work
  }

  private static func bareFluidSynth(_ font: String, voiceCount: Int) throws -> Work {
    let synth = try BareFluidSynth(font: font, pairCount: 1)
    try HeldNotes.play(voiceCount) { message in
      synth.play(MIDIEvent(time: 0, message: message))
      synth.render()
      return synth.activeVoiceCount
    }
    return Work { quantumCount in
      for _ in 0..<quantumCount { synth.render() }
    }
  }

  /// The node's first bus goes to the output, the others nowhere: they are rendered all the same.
  private static func sources(of node: any AudioNode) throws -> Work {
    try Work { graph in
      try graph.attach(node)
      return node
    }
  }
}
