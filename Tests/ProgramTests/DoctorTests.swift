import Foundation
import SynthALSA
import SynthJACK
import SynthRealtime
import Testing

@testable import SynthKit
@testable import synth

@Suite("synth doctor")
struct DoctorTests {
  /// A fault as facts have it, and what is to be said of it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let state: Finding.State
    let name: String
    /// A part of what was seen.
    let seen: String
    let remedy: String
    let provoke: @Sendable (inout SystemFacts) -> Void

    init(
      _ description: String, _ state: Finding.State, _ name: String, _ seen: String, _ remedy: String,
      provoke: @escaping @Sendable (inout SystemFacts) -> Void
    ) {
      (testDescription, self.state, self.name, self.seen) = (description, state, name, seen)
      (self.remedy, self.provoke) = (remedy, provoke)
    }
  }

  /// A machine on which all is well.
  private static func healthy() throws -> SystemFacts {
    var facts = SystemFacts()
    (facts.user, facts.kernel) = ("ada", "6.1.0-28-amd64")
    facts.cards = ["HDA Intel PCH"]
    facts.servers = [.pipeWire]
    facts.outputs = ["null", "default", "pipewire"]
    facts.trial = .success(try trial())
    facts.scheduling = .realTime(priority: 40)
    facts.governors = [.init(name: "powersave", driver: "intel_pstate")]
    facts.keyboards = .success(["Test Keyboard 49 MIDI 1 (24:0)"])
    facts.font = .success(("/usr/share/sounds/sf2/FluidR3_GM.sf2", .system))
    return facts
  }

  private static func trial(
    lateness: Double = 0.0002, xruns: Int = 0, scheduling: ThreadScheduling = .realTime(priority: 40)
  ) throws -> TrialPlay {
    TrialPlay(
      parameters: try PCMOutput(PCMRequest(device: "null", latency: .low)).parameters, xruns: xruns,
      lateness: lateness, scheduling: scheduling)
  }

  private static func error(_ cause: PCMError.Cause) -> Result<TrialPlay, PCMError> {
    .failure(PCMError("opening", "default", cause))
  }

  static let faults = [
    Fault("no card", .problem, "sound card", "none", "synth devices --watch") {
      ($0.cards, $0.access, $0.trial) = ([], .absent, error(.noSuchDevice))
    },
    Fault(
      "a card without its driver", .problem, "sound card", "PCI 8086:7e28",
      "sudo apt install firmware-sof-signed && sudo reboot"
    ) { ($0.cards, $0.access, $0.trial, $0.driverless) = ([], .absent, error(.noSuchDevice), ["8086:7e28"]) },
    Fault(
      "a kernel without sound", .problem, "sound card", "made for clouds",
      "sudo apt install linux-image-$(dpkg --print-architecture) && sudo reboot"
    ) { ($0.cards, $0.access, $0.trial, $0.kernel) = ([], .absent, error(.noSuchDevice), "6.1.0-28-cloud-amd64") },
    Fault(
      "a container", .problem, "sound card", "none in this container",
      "docker run --device /dev/snd --group-add audio …"
    ) { ($0.cards, $0.access, $0.trial, $0.isContainer) = ([], .absent, error(.noSuchDevice), true) },
    Fault(
      "a user outside the group", .problem, "permission", "may not open", "sudo usermod -aG audio ada"
    ) { ($0.access, $0.membership, $0.trial) = (.denied, .none, error(.permissionDenied)) },
    Fault("a user who has yet to log in again", .problem, "permission", "from the next login on", "newgrp audio") {
      ($0.access, $0.membership, $0.trial) = (.denied, .fromNextLogin, error(.permissionDenied))
    },
    Fault("devices of another group", .problem, "permission", "belong to another", "ls -l /dev/snd") {
      ($0.access, $0.membership, $0.trial) = (.denied, .present, error(.permissionDenied))
    },
    Fault("a device that another program holds", .problem, "device", "held by aplay (pid 7)", "kill 7") {
      $0.trial = error(.busy(holders: [DeviceHolder(name: "aplay", process: 7)]))
    },
    Fault("a device that is not there", .problem, "device", "opening default: no such device", "synth devices") {
      $0.trial = error(.noSuchDevice)
    },
    Fault("a card that a program keeps open", .warning, "in use", "hw:CARD=PCH,DEV=0 is open in aplay", "kill 7") {
      $0.uses = [
        .init(
          device: "hw:CARD=PCH,DEV=0", holders: [DeviceHolder(name: "aplay", process: 7)], reservation: nil)
      ]
    },
    Fault(
      "PipeWire without its plugin", .warning, "sound server", "PipeWire runs", "sudo apt install pipewire-alsa"
    ) { $0.outputs = ["null", "default"] },
    Fault(
      "JACK that refuses", .warning, "sound server", "JACK runs, but does not take synth", "jack_lsp"
    ) {
      $0.servers = [.jack]
      $0.jack = .failure(JACKError("opening", "synth doctor", .refused("no room")))
    },
    Fault("a machine that stalls", .warning, "latency", "20.0 ms late, with 3 xruns", "synth --latency safe") {
      $0.trial = Result { () throws(PCMError) in try! trial(lateness: 0.02, xruns: 3) }
    },
    Fault("no rtkit", .warning, "real-time", "rtkit", "sudo apt install rtkit") {
      $0.scheduling = .ordinary(code: EPERM, kit: ENOENT)
    },
    Fault("no libsystemd", .warning, "real-time", "rtkit", "sudo apt install libsystemd0") {
      $0.scheduling = .ordinary(code: EPERM, kit: ELIBACC)
    },
    Fault(
      "a limit of 0", .warning, "real-time", "scheduled as any other",
      "echo '@audio - rtprio 95' | sudo tee -a /etc/security/limits.conf"
    ) { $0.scheduling = .ordinary(code: EPERM, kit: EACCES) },
    Fault(
      "a kernel without real time", .problem, "real-time", "no real-time thread",
      "sudo sysctl kernel.sched_rt_runtime_us=950000"
    ) { $0.realtimeShare = 0 },
    Fault(
      "little memory to lock", .warning, "memory", "8 MB",
      "echo '@audio - memlock unlimited' | sudo tee -a /etc/security/limits.conf"
    ) { $0.memoryLimit = 8 << 20 },
    Fault(
      "a slow clock", .warning, "processor", "governor powersave",
      "echo performance | sudo tee /sys/devices/system/cpu/cpufreq/*/scaling_governor"
    ) { $0.governors = [.init(name: "powersave", driver: "acpi-cpufreq")] },
    Fault(
      "no sequencer", .problem, "sequencer", "snd-seq is not loaded",
      "sudo modprobe snd-seq"
    ) { $0.keyboards = .failure(SequencerError("opening the MIDI sequencer", code: -ENOENT)) },
    Fault("a sequencer of others", .problem, "sequencer", "may not open", "sudo usermod -aG audio ada") {
      $0.keyboards = .failure(SequencerError("opening the MIDI sequencer", code: -EACCES))
    },
    Fault("no keyboard", .warning, "keyboards", "none", "synth devices --watch") { $0.keyboards = .success([]) },
    Fault("a keyboard that is played directly", .warning, "keyboards", "amidi (pid 9)", "kill 9") {
      ($0.keyboards, $0.rawMIDIHolders) = (.success([]), [DeviceHolder(name: "amidi", process: 9)])
    },
    Fault("no soundfont", .problem, "soundfont", "none found", "sudo apt install fluid-soundfont-gm") {
      $0.font = .failure(SoundFontLocatorError(searched: []))
    },
    Fault("a soundfont that is gone", .problem, "soundfont", "names /gone.sf2", "unset SYNTH_SOUNDFONT") {
      ($0.font, $0.isFontReadable) = (.success(("/gone.sf2", .environment)), false)
    },
  ]

  @Test("names each fault, and nothing else, with a command for it", arguments: faults)
  func names(fault: Fault) throws {
    var facts = try Self.healthy()
    fault.provoke(&facts)
    let amiss = Checkup.findings(of: facts).filter { $0.state != .ok }
    #expect(amiss.count == 1, "\(amiss)")
    let finding = try #require(amiss.first)
    #expect(finding.name == fault.name && finding.state == fault.state, "\(finding)")
    #expect(finding.seen.contains(fault.seen), "\(finding.seen)")
    #expect(finding.remedy == fault.remedy)
    let report = DoctorReport(findings: [finding])
    #expect(report.hasProblems == (fault.state == .problem))
    #expect(report.text.contains("\n  \(fault.remedy)\n"))
    #expect(report.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(report.text)")
  }

  @Test("is content with a machine on which all is well")
  func healthyMachine() throws {
    let report = DoctorReport(findings: Checkup.findings(of: try Self.healthy()))
    #expect(report.findings.allSatisfy { $0.state == .ok && $0.remedy == nil })
    #expect(report.findings.count == 12)
    #expect(!report.hasProblems && report.text.hasSuffix("\nAll is well.\n"))
  }

  @Test(
    "recommends the shortest latency that holds out, and the lowest only in real time",
    arguments: [
      (0.0002, ThreadScheduling.realTime(priority: 40), PCMLatency.low),
      (0.0002, .ordinary(code: EPERM, kit: nil), .normal), (0.004, .realTimeByKit(priority: 20), .normal),
      (0.02, .realTime(priority: 40), .safe),
    ])
  func latency(lateness: Double, scheduling: ThreadScheduling, recommended: PCMLatency) throws {
    #expect(try Self.trial(lateness: lateness, scheduling: scheduling).recommended == recommended)
  }

  @Test("reports of this machine to a person and to a program alike", .timeLimit(.minutes(1)))
  func thisMachine() throws {
    let text = try Program.run(["doctor", "--out", "null"])
    let json = try Program.run(["doctor", "--json", "--out=null"])
    let report = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(findings.contains { $0["name"] as? String == "device" && $0["state"] as? String == "ok" })
    #expect(text.status == (report["problems"] as? Int == 0 ? 0 : 1))
    #expect(text.status == json.status && text.errors.isEmpty && json.errors.isEmpty)
    for finding in findings {
      #expect(text.text.contains("\n\(finding["state"]!) ") || text.text.hasPrefix("\(finding["state"]!)"))
    }
  }
}
