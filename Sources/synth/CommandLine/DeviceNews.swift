import ALSA

/// Tells what becomes of the output device while it plays, each thing once; the same for songs and for playing live.
struct DeviceNews {
  private let memory = MemoryLock.request()
  private var scheduling = ThreadScheduling.unpaced

  /// To be called now and then, once the soundfonts are loaded.
  mutating func tell(of device: PCMOutput) {
    let present = device.statistics.scheduling
    guard present != scheduling else { return }
    scheduling = present
    Terminal.tell("thread     \(present); \(memory)")
  }

  /// One line, if the playing had faults.
  static func complaint(of device: PCMOutput) -> String? {
    let xruns = device.statistics.xruns
    guard xruns > 0 else { return nil }
    return "\(xruns) xrun\(xruns == 1 ? "" : "s"): the machine was too slow now and then; try --latency safe"
  }
}
