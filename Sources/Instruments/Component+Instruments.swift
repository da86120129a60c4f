import AudioGraph

extension Component {
  /// The kinds of node of this module.
  public static var instruments: [Component] { [sampler] }

  private static let sampler = Component(
    .instrument, "samp", name: "sampler", summary: "plays soundfonts: 16 MIDI channels, each a stereo output",
    creation: [CreationProperty(RackNode.soundFonts.name, kind: .list(of: .text, count: 1...Int.max), isRequired: true)]
      + RackNode.creation.filter { $0.name != RackNode.soundFonts.name }
  ) { try RackNode($0, assignments: []) }
}
