import SynthALSA
import SynthKit

// What is played, and with which sounds.

extension Checkup {
  static func sequencer(_ facts: SystemFacts) -> Finding? {
    let name = "sequencer"
    // It comes with the cards.
    if facts.isContainer, facts.access == .absent { return nil }
    guard case .failure(let error) = facts.keyboards else { return .ok(name, "the kernel's MIDI sequencer answers") }
    switch error.cause {
    case .absent:
      return .problem(
        name, "/dev/snd/seq is missing, so no keyboard can be joined: the module snd-seq is not loaded",
        "sudo modprobe snd-seq")
    case .permissionDenied:
      return .problem(
        name, "\(facts.user) may not open /dev/snd/seq; after this command, log in again",
        "sudo usermod -aG audio \(facts.user)")
    case .failed(let text): return .problem(name, text, "aconnect -l")
    // Only where messages are sent.
    case .full: return nil
    }
  }

  static func keyboards(_ facts: SystemFacts) -> Finding? {
    let name = "keyboards"
    guard case .success(let keyboards) = facts.keyboards else { return nil }
    if let holder = facts.rawMIDIHolders.first {
      return .warning(
        name, "\(holder) has a MIDI device open directly, so that the sequencer gets nothing from it",
        "kill \(holder.process)")
    }
    guard keyboards.isEmpty else { return .ok(name, keyboards.joined(separator: ", ")) }
    return .warning(name, "none: no MIDI port to play from; connect one, and look on", "synth devices --watch")
  }

  static func soundFont(_ facts: SystemFacts) -> Finding? {
    let name = "soundfont"
    switch facts.font {
    case nil: return nil
    case .failure:
      return .problem(name, "none found, not even the built-in one", "sudo apt install fluid-soundfont-gm")
    case .success((let path, .environment)) where !facts.isFontReadable:
      return .problem(
        name, "$SYNTH_SOUNDFONT names \(path), which is no soundfont that can be read", "unset SYNTH_SOUNDFONT")
    case .success((let path, .builtIn)):
      return .warning(
        name, "the built-in one (\(path)) is small: a larger one sounds better", "sudo apt install fluid-soundfont-gm")
    case .success(let (path, _)): return .ok(name, path)
    }
  }
}
