import AudioGraph
import Testing

@Suite("Component registry")
struct ComponentRegistryTests {
  let registry: ComponentRegistry

  init() throws { registry = try ComponentRegistry(Component.audioGraph) }

  @Test("finds kinds by codes, by the name of their type, with wildcards")
  func wildcards() throws {
    func names(_ text: String) throws -> [String] {
      registry.components(matching: try ComponentDescription(parsing: text)).map(\.name)
    }
    #expect(try names("aumx/mcmx/synt") == ["mixer"])
    #expect(try names("mixer") == ["mixer", "matrix mixer", "spatial mixer"])
    #expect(try names("*/greq") == ["equalizer"])
    #expect(try names("//appl") == [])
    #expect(try names("*") == registry.components.map(\.name))
    #expect(try names("aufx/ipeq") == ["equalizer"] && names("auou/rioc/synt") == ["output"])
    let zero = FourCharacterCode(rawValue: 0)
    #expect(registry.components(matching: ComponentDescription(type: zero, subtype: "mcmx")).map(\.name) == ["mixer"])
  }

  @Test("makes every kind by default, or from properties")
  func makes() throws {
    for component in registry.components { #expect(try component.make().name == component.name) }
    let mixer = try registry.component(named: "mixer").make(["input bus count": 3, "sends": ["reverb", "echo"]])
    #expect(mixer.inputBusCount == 3 && mixer.outputBusCount == 3)
    #expect(try mixer.property(named: "sends").value == ["reverb", "echo"])
    let output = try registry.component(named: "output").make(["channel map": [1, 0, -1, -1], "channel count": 4])
    #expect((output as? OutputNode)?.channelMap == ChannelMap([1, 0, -1, -1]))
    let source = try registry.component(named: "source").make(["sample rate": 44100, "channel count": 1])
    #expect((source as? SourceNode)?.format == .mono(44100))
  }

  @Test("takes a kind of somebody else's, and no other of its name or description")
  func add() throws {
    var registry = registry
    let fork = Component(.mixer, "fork", manufacturer: "else", name: "fork", summary: "a mixer") { _ in
      MixerNode(inputBusCount: 1)
    }
    try registry.add(fork)
    #expect(registry.components(matching: ComponentDescription(manufacturer: "else")).map(\.name) == ["fork"])
    let error = ComponentError.duplicate(component: "fork (aumx/fork/else)", of: "fork (aumx/fork/else)")
    #expect(throws: error) { try registry.add(fork) }
    let other = Component(.effect, "ipeq", name: "another equalizer", summary: "an alias is taken, too") { _ in
      EqualizerNode()
    }
    #expect(throws: ComponentError.self) { try registry.add(other) }
    #expect(
      "\(error)"
        == "adding component fork (aumx/fork/else): fork (aumx/fork/else) is there already; "
        + "give it a subtype and a name of its own")
  }

  private func expect(_ error: ComponentError, _ line: String, _ body: () throws -> Void) {
    #expect(throws: error) { try body() }
    #expect("\(error)" == line)
  }

  @Test("refuses in one line")
  func errors() throws {
    expect(
      .malformed("aumx/mc"),
      "reading component \"aumx/mc\": give type, subtype and manufacturer in four characters each, or * for any, as in "
        + "aumx/mcmx/synt"
    ) { _ = try ComponentDescription(parsing: "aumx/mc") }
    #expect(throws: ComponentError.malformed("a/b/c/d")) { try ComponentDescription(parsing: "a/b/c/d") }
    #expect(throws: ComponentError.malformed("äumx")) { try ComponentDescription(parsing: "äumx") }
    let description = ComponentDescription(type: "aumx", subtype: "3dfx")
    expect(.noMatch(description), "finding component aumx/3dfx/*: none matches; `components` lists those there are") {
      _ = try registry.component(matching: description)
    }
    expect(
      .unknown(name: "mixr", near: ["mixer"]),
      "finding component \"mixr\": unknown component; did you mean \"mixer\"?"
    ) { _ = try registry.component(named: "mixr") }
    let mixer = try registry.component(named: "mixer")
    #expect(throws: PropertyError.unknown(node: "mixer", name: "input bus cuont", near: ["input bus count"])) {
      try mixer.make(["input bus cuont": 3])
    }
    #expect(
      throws: PropertyError.wrongValue(
        node: "mixer", name: "input bus count", value: "-1", kind: .integer(0...1024))
    ) { try mixer.make(["input bus count": -1]) }
    let reel = CreationProperty("tape", kind: .text, isRequired: true)
    expect(.missing(component: "reel", property: reel), "making a reel: tape is missing; give a text") {
      _ = try Component(.generator, "reel", name: "reel", summary: "", creation: [reel]) { _ in
        MixerNode(inputBusCount: 0)
      }.make()
    }
  }

  @Test("A code of another length ends the program, rather than being none")
  func fiveCharacters() async {
    await #expect(processExitsWith: .failure) { _ = FourCharacterCode(stringLiteral: "reverb") }
  }
}
