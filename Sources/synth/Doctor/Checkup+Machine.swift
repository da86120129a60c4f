import Glibc
import SynthALSA
import SynthRealtime

// What the machine gives an audio thread.

extension Checkup {
  /// For all members of the group audio.
  private static func raise(_ limit: String) -> String {
    "echo '@audio - \(limit)' | sudo tee -a /etc/security/limits.conf"
  }

  static func scheduling(_ facts: SystemFacts) -> Finding? {
    let name = "real-time"
    switch facts.scheduling {
    case .unpaced: return nil
    case .realTime, .realTimeByKit: return .ok(name, "\(facts.scheduling)")
    case .ordinary(let code, _):
      let seen = "audio threads are scheduled as any other (\(String(cString: strerror(code)).lowercased()))"
      guard let package = facts.scheduling.missingPackage else {
        return .warning(name, "\(seen); after this command, log in again", raise("rtprio 95"))
      }
      return .warning(
        name, "\(seen), and rtkit, which would grant more, does not answer", "sudo apt install \(package)")
    case .demoted: return .warning(name, "\(facts.scheduling)", "synth --latency safe")
    }
  }

  /// Beside the limit of each user, the kernel has one for all real-time threads together.
  static func throttling(_ facts: SystemFacts) -> Finding? {
    guard facts.realtimeShare == 0 else { return nil }
    return .problem(
      "real-time", "the kernel lets no real-time thread run at all", "sudo sysctl kernel.sched_rt_runtime_us=950000")
  }

  /// The well-known fonts have up to 150 megabytes.
  private static let enoughMemory: UInt64 = 256 << 20

  static func memory(_ facts: SystemFacts) -> Finding {
    let name = "memory"
    guard let limit = facts.memoryLimit, limit < enoughMemory else {
      return .ok(name, "soundfonts can be locked, so that no note waits for the disk")
    }
    return .warning(
      name,
      "\(limit >> 20) MB may be locked, which large soundfonts exceed: notes may wait for the disk where memory is "
        + "short; after this command, log in again", raise("memlock unlimited"))
  }

  static func governor(_ facts: SystemFacts) -> Finding? {
    let name = "processor"
    // These two choose their clocks by themselves, and powersave is the name of that.
    let steered = facts.governors.filter { !["intel_pstate", "amd-pstate-epp"].contains($0.driver) }
    if let slow = steered.first(where: { ["powersave", "conservative", "userspace"].contains($0.name) }) {
      return .warning(
        name, "its clock stays low or rises late (governor \(slow.name)), which costs voices",
        "echo performance | sudo tee /sys/devices/system/cpu/cpufreq/*/scaling_governor")
    }
    let names = Set(facts.governors.map(\.name)).sorted()
    return names.isEmpty ? nil : .ok(name, "governor \(names.joined(separator: ", "))")
  }
}
