import SynthALSA
import SynthRealtime

/// The checks of `synth doctor`, in the order in which a sound needs what they look at. Each judges facts alone.
enum Checkup {
  static let checks: [@Sendable (SystemFacts) -> Finding?] = [
    card, permission, use, server, device, latency, scheduling, throttling, memory, governor, sequencer, keyboards,
    soundFont,
  ]

  static func findings(of facts: SystemFacts) -> [Finding] { checks.compactMap { $0(facts) } }
}

// MARK: - The sound card

extension Checkup {
  static func card(_ facts: SystemFacts) -> Finding {
    let name = "sound card"
    if !facts.cards.isEmpty { return .ok(name, facts.cards.joined(separator: ", ")) }
    if facts.isContainer, facts.access == .absent {
      return .problem(
        name, "none in this container: give it the host's when it is started",
        "docker run --device /dev/snd --group-add audio …")
    }
    if let device = facts.driverless.first {
      return .problem(
        name,
        "the hardware is there (PCI \(device)), but no driver of the kernel takes it: its firmware may be missing",
        "sudo apt install firmware-sof-signed && sudo reboot")
    }
    if facts.kernel.contains("cloud") {
      return .problem(
        name, "none: the kernel \(facts.kernel) is made for clouds and has no sound drivers",
        "sudo apt install linux-image-$(dpkg --print-architecture) && sudo reboot")
    }
    return .problem(
      name, "none: the kernel sees no sound hardware; connect a card, and look on", "synth devices --watch")
  }

  static func permission(_ facts: SystemFacts) -> Finding? {
    let name = "permission"
    switch (facts.access, facts.membership) {
    case (.absent, _): return nil
    case (.allowed, _): return .ok(name, "\(facts.user) may open the devices in /dev/snd")
    case (.denied, .fromNextLogin):
      return .problem(
        name, "\(facts.user) is in the group audio from the next login on", "newgrp audio")
    case (.denied, .present):
      return .problem(
        name, "\(facts.user) is in the group audio, but the devices in /dev/snd belong to another", "ls -l /dev/snd")
    case (.denied, .none):
      return .problem(
        name, "\(facts.user) may not open the devices in /dev/snd; after this command, log in again",
        "sudo usermod -aG audio \(facts.user)")
    }
  }

  /// Others on the same cards.
  static func use(_ facts: SystemFacts) -> Finding? {
    let name = "in use"
    for use in facts.uses {
      guard let other = use.holders.first(where: { !isServer($0.name) }) else { continue }
      return .warning(
        name,
        "\(use.device) is open in \(use.holders.map(\.description).joined(separator: ", ")): it is not to be had "
          + "for --out \(use.device) until that ends", "kill \(other.process)")
    }
    if let use = facts.uses.first(where: { $0.reservation != nil }), let owner = use.reservation {
      return .ok(name, "\(use.device) is reserved by \(owner), which gives it away when asked, or shares it")
    }
    if let use = facts.uses.first, let server = use.holders.first {
      return .ok(name, "\(use.device) is open in \(server), which shares it")
    }
    return facts.cards.isEmpty ? nil : .ok(name, "no other program has a device open")
  }

  private static func isServer(_ program: String) -> Bool {
    ["pipewire", "wireplumber", "pulseaudio", "jackd", "jackdbus"].contains(program)
  }
}

// MARK: - Where the sound goes

extension Checkup {
  static func server(_ facts: SystemFacts) -> Finding {
    let name = "sound server"
    guard let server = facts.servers.first else {
      return .ok(name, "none: --out default is the card itself, at its shortest latency")
    }
    let plugin: (output: String, package: String)
    switch server {
    case .pipeWire: plugin = ("pipewire", "pipewire-alsa")
    case .pulseAudio: plugin = ("pulse", "libasound2-plugins")
    case .jack: return jack(facts)
    }
    guard facts.outputs.contains(plugin.output) else {
      return .warning(
        name, "\(server.rawValue) runs, but alsa-lib has no plugin for it: synth and it take the card from each other",
        "sudo apt install \(plugin.package)")
    }
    return .ok(
      name,
      "\(server.rawValue): other programs sound at the same time; --out hw:… takes the card alone, with a shorter latency"
    )
  }

  private static func jack(_ facts: SystemFacts) -> Finding {
    let name = "sound server"
    switch facts.jack {
    case .success(let granted):
      let schedule = granted.isRealtime ? "real-time" : "not real-time"
      return .ok(
        name,
        "JACK: \(granted.sampleRate) Hz, \(granted.period) frames a cycle, \(schedule); it has the card for itself, and "
          + "--out jack plays through it")
    case .failure(let error):
      let isMissing = if case .libraryMissing = error.cause { true } else { false }
      return .warning(
        name, "JACK runs, but does not take synth: \(error)",
        isMissing ? "sudo apt install libjack-jackd2-0" : "jack_lsp")
    case nil: return .ok(name, "JACK: it has the card for itself, and --out jack plays through it")
    }
  }

  static func device(_ facts: SystemFacts) -> Finding? {
    let name = "device"
    switch facts.trial {
    case nil: return nil
    case .success(let trial): return .ok(name, "\(trial.parameters)")
    case .failure(let error):
      // That is told already.
      if facts.access != .allowed, [.noSuchDevice, .permissionDenied].contains(error.cause) { return nil }
      let seen = error.line { _ in "" }.split(separator: " — ")[0]
      switch error.cause {
      case .busy(let holders):
        guard let holder = holders.first else {
          return .problem(name, "\(seen): another program holds it", "synth devices")
        }
        let all = holders.map(\.description).joined(separator: ", ")
        return .problem(name, "\(seen): held by \(all)", "kill \(holder.process)")
      case .noSuchDevice, .unnamed: return .problem(name, "\(seen)", "synth devices")
      case .permissionDenied: return .problem(name, "\(seen)", "sudo usermod -aG audio \(facts.user)")
      case .unsupported, .invalid, .failed: return .problem(name, "\(seen)", "synth doctor --out hw:0")
      }
    }
  }

  static func latency(_ facts: SystemFacts) -> Finding? {
    let name = "latency"
    guard case .success(let trial) = facts.trial, trial.scheduling != .unpaced else { return nil }
    let late = "two seconds of silence came at most \(tenths(trial.lateness * 1000)) ms late"
    let xruns = trial.xruns == 0 ? "without an xrun" : "with \(trial.xruns) xrun\(trial.xruns == 1 ? "" : "s")"
    switch trial.recommended {
    case .low: return .ok(name, "\(late), \(xruns): --latency low (4 ms) will do")
    case .safe:
      return .warning(name, "\(late), \(xruns): the machine stalls, and needs a longer buffer", "synth --latency safe")
    case .normal, .seconds: return .ok(name, "\(late), \(xruns): --latency 16, which is the usual, will do")
    }
  }
}
