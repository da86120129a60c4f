import CSynthALSA

extension PCMDevice {
  /// What playing on a device of this name does beside the sound; nil where nothing is known.
  ///
  /// An ALSA name is a small program: `file` and `tee` write what is played into any file or into a command, and a name
  /// may carry its own configuration. Names that `~/.asoundrc` or `/etc/asound.conf` define are looked up,
  /// with their slaves. No device is opened. [control thread]
  ///
  /// - Parameter configuration: ALSA's text, in place of that of this machine.
  package static func effect(of name: String, in configuration: String? = nil) -> String? {
    if name.contains("{") {
      return "the name carries a configuration of its own, which may write files and run programs"
    }
    guard !name.utf8.contains(0) else { return nil }
    guard let tree = loaded(configuration) else { return nil }
    defer { snd_config_unref(tree) }
    var search = EffectSearch(tree: tree)
    return search.effect(ofPCM: name)
  }

  /// The caller gives it back.
  private static func loaded(_ text: String?) -> OpaquePointer? {
    ALSALibrary.prepare()
    var tree: OpaquePointer?
    guard let text else {
      return snd_config_update_ref(&tree) >= 0 ? tree : nil
    }
    return snd_config_load_string(&tree, text, text.utf8.count) >= 0 ? tree : nil
  }
}

/// Looks for a PCM that writes, in what a name stands for and in its slaves.
private struct EffectSearch {
  /// More slaves than a device has that opens.
  private static let depthLimit = 16

  let tree: OpaquePointer
  private var depth = 0

  init(tree: OpaquePointer) { self.tree = tree }

  mutating func effect(ofPCM name: String) -> String? { effect(of: name, in: "pcm") }

  /// (snd_config_search_definition)
  private mutating func effect(of name: String, in base: String) -> String? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    var definition: OpaquePointer?
    guard snd_config_search_definition(tree, base, name, &definition) >= 0, let definition else { return nil }
    defer { snd_config_delete(definition) }
    return effect(ofDefinition: definition)
  }

  private mutating func effect(ofDefinition node: OpaquePointer) -> String? {
    if text("type", of: node) == "file", let target = text("file", of: node) {
      return target.hasPrefix("|")
        ? "ALSA runs the program \(target.dropFirst()) with what is played"
        : "ALSA writes what is played into \(target)"
    }
    var next = snd_config_iterator_first(node)
    while next != snd_config_iterator_end(node), let entry = snd_config_iterator_entry(next) {
      if let effect = effect(ofMember: entry) { return effect }
      next = snd_config_iterator_next(next)
    }
    return nil
  }

  /// A slave is written out, or named.
  private mutating func effect(ofMember node: OpaquePointer) -> String? {
    if snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND { return effect(ofDefinition: node) }
    guard let name = Self.text(node) else { return nil }
    switch Self.id(node) {
    case "pcm": return effect(of: name, in: "pcm")
    case "slave": return effect(of: name, in: "pcm_slave")
    default: return nil
    }
  }

  private func text(_ key: String, of node: OpaquePointer) -> String? {
    var found: OpaquePointer?
    return snd_config_search(node, key, &found) >= 0 ? found.flatMap(Self.text) : nil
  }

  private static func text(_ node: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    return snd_config_get_string(node, &text) >= 0 ? text.map { String(cString: $0) } : nil
  }

  private static func id(_ node: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    return snd_config_get_id(node, &text) >= 0 ? text.map { String(cString: $0) } : nil
  }
}
