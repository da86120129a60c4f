import CSynthALSA
import Glibc
import SynthALSA
import SynthDSP
import Testing

@Test("The best possible format is chosen, or none")
func choosesFormat() {
  #expect(PCMNegotiation.format(SampleFormat.preference) { _ in true } == .float32)
  #expect(PCMNegotiation.format(SampleFormat.preference) { [.int16, .int24Packed].contains($0) } == .int24Packed)
  #expect(PCMNegotiation.format(SampleFormat.preference) { _ in false } == nil)
}

@Test("A channel count that is asked for is granted or refused; else two, or the nearest, rather more than fewer")
func choosesChannels() {
  #expect(PCMNegotiation.channels(6, in: 1...8) { $0 == 6 } == 6)
  #expect(PCMNegotiation.channels(6, in: 1...8) { $0 == 8 } == nil)
  #expect(PCMNegotiation.channels(nil, in: 1...8) { _ in true } == 2)
  #expect(PCMNegotiation.channels(nil, in: 1...8) { $0 != 2 } == 3)
  #expect(PCMNegotiation.channels(nil, in: 1...1) { $0 == 1 } == 1)
  #expect(PCMNegotiation.channels(nil, in: 18...18) { $0 == 18 } == 18)
  #expect(PCMNegotiation.channels(nil, in: 1...1_073_741_823) { _ in false } == nil)
  #expect(PCMNegotiation.channels(nil, in: 300...400) { $0 >= 300 } == nil)
}

@Test("A replacement device that has not the stream's channel count gets the nearest to it")
func adaptsChannels() {
  #expect(PCMNegotiation.channels(6, adapts: true, in: 1...8) { _ in true } == 6)
  #expect(PCMNegotiation.channels(6, adapts: true, in: 1...8) { $0 != 6 } == 7)
  #expect(PCMNegotiation.channels(1, adapts: true, in: 2...2) { $0 == 2 } == 2)
  #expect(PCMNegotiation.channels(8, adapts: true, in: 2...2) { $0 == 2 } == 2)
}

@Test("The loop's next step follows from the latest result and the PCM's state, the result first")
func conditions() {
  func condition(_ state: snd_pcm_state_t, _ result: Int) -> PCMLoopStep {
    PCMLoopStep(state: state, result: result, period: 256)
  }
  #expect(condition(SND_PCM_STATE_RUNNING, 256) == .writable)
  #expect(condition(SND_PCM_STATE_RUNNING, 255) == .full)
  #expect(condition(SND_PCM_STATE_PREPARED, 256) == .writable)
  #expect(condition(SND_PCM_STATE_PREPARED, 0) == .filled)
  #expect(condition(SND_PCM_STATE_RUNNING, Int(-EAGAIN)) == .full)
  #expect(condition(SND_PCM_STATE_XRUN, Int(-EPIPE)) == .xrun)
  #expect(condition(SND_PCM_STATE_XRUN, 300) == .xrun)
  #expect(condition(SND_PCM_STATE_SUSPENDED, Int(-ESTRPIPE)) == .suspended)
  #expect(condition(SND_PCM_STATE_RUNNING, Int(-ENODEV)) == .disconnected)
  #expect(condition(SND_PCM_STATE_DISCONNECTED, 0) == .disconnected)
  #expect(condition(SND_PCM_STATE_SETUP, 0) == .unprepared)
  #expect(condition(SND_PCM_STATE_RUNNING, Int(-EIO)) == .failed)
}

@Test("A latency becomes a buffer of whole periods, and these of whole quanta of 64 frames, unless a period is given")
func latencySizes() {
  func sizes(_ latency: PCMLatency, _ rate: Int, _ period: Int? = nil) -> [Int] {
    let sizes = latency.sizes(sampleRate: rate, period: period)
    return [sizes.period, sizes.buffer]
  }
  #expect(sizes(.low, 48000) == [64, 192])
  #expect(sizes(.low, 44100) == [64, 192])
  #expect(sizes(.normal, 96000) == [512, 1536])
  #expect(sizes(.safe, 48000) == [1024, 3072])
  #expect(sizes(.safe, 48000, 100) == [100, 300])
  #expect(sizes(.seconds(0.008), 48000) == [128, 384])
  #expect(sizes(.seconds(0.010), 48000) == [128, 512])
  #expect(sizes(.seconds(0.010), 48000, 100) == [100, 500])
  #expect(sizes(.seconds(0.001), 48000) == [64, 128])
  #expect(sizes(.seconds(2), 48000) == [1024, 94 * 1024])
  #expect(sizes(.seconds(.nan), 48000) == [64, 128])
  #expect(sizes(.seconds(-.infinity), 48000) == [64, 128])
}

@Test("What was granted prints in one line")
func printsParameters() throws {
  let output = try PCMOutput(PCMRequest(device: "null", channelCount: 4, sampleRate: 44100, period: 441))
  #expect(
    output.parameters.description == "null: 44100 Hz, 4 channels, float, 441 × 3 frames (30.0 ms)")
  #expect(output.parameters.latency == 0.03)
}

/// Defines devices in addition to the system's. Only for exit tests, because it changes the environment.
func configure(_ more: String = "") {
  let path = "/tmp/alsa-\(getpid()).conf"
  let file = fopen(path, "w")
  fputs(
    """
    </usr/share/alsa/alsa.conf>
    pcm.quad {
      type multi
      slaves.a { pcm "null" channels 4 }
      bindings {
        0 { slave a channel 0 } 1 { slave a channel 1 } 2 { slave a channel 2 } 3 { slave a channel 3 }
      }
    }
    pcm.telephone { type mulaw slave { pcm "null" format MU_LAW } }
    pcm.cd { type plug slave { pcm "null" rate 44100 } }
    pcm.named { type null chmap [ "FL,FR" "FL,FR,RL,RR" ] }
    pcm.broken { type nonsense }
    \(more)
    """, file)
  fclose(file)
  setenv("ALSA_CONFIG_PATH", path, 1)
}

@Test("A device of four channels grants four, and refuses two with the count it has", .timeLimit(.minutes(5)))
func fourChannels() async {
  await #expect(processExitsWith: .success) {
    configure()
    let granted = try PCMOutput(PCMRequest(device: "quad")).parameters
    #expect(granted.channelCount == 4)
    let error = #expect(throws: PCMError.self) { try PCMOutput(PCMRequest(device: "quad", channelCount: 2)) }
    #expect(error?.description == "setting up quad: not with 2 channels — it has 4; ask for another count")
  }
}

@Test("A device of 44100 frames per second is not resampled unless another rate is asked for", .timeLimit(.minutes(5)))
func nativeRate() async {
  await #expect(processExitsWith: .success) {
    configure()
    let native = try PCMOutput(PCMRequest(device: "cd")).parameters
    let asked = try PCMOutput(PCMRequest(device: "cd", sampleRate: 48000)).parameters
    let capabilities = try PCMCapabilities(of: "cd")
    #expect(native.sampleRate == 44100)
    #expect(asked.sampleRate == 48000)
    #expect(capabilities.sampleRates == 44100...44100)
  }
}

@Test("A device without float samples gets the next best; one that has none of ours refuses", .timeLimit(.minutes(5)))
func formatFallback() async {
  await #expect(processExitsWith: .success) {
    configure()
    let granted = try PCMOutput(PCMRequest(device: "telephone")).parameters
    #expect(granted.format == .int32)
    var request = PCMRequest(device: "telephone")
    request.formats = [.float32]
    let error = #expect(throws: PCMError.self) { try PCMOutput(request) }
    #expect(
      error?.description
        == "setting up telephone: none of the sample formats float — use the default device, which converts")
  }
}

@Test("Channel names come from the device's channel maps", .timeLimit(.minutes(5)))
func channelNames() async {
  await #expect(processExitsWith: .success) {
    configure()
    let capabilities = try PCMCapabilities(of: "named")
    #expect(capabilities.channelNames == [["FL", "FR"], ["FL", "FR", "RL", "RR"]])
    let parameters = try PCMOutput(PCMRequest(device: "named", channelCount: 4)).parameters
    #expect(parameters.channelNames == ["FL", "FR", "RL", "RR"])
    #expect(parameters.description.contains("4 channels (FL FR RL RR), float"))
  }
}

@Test(
  "What alsa-lib has to say of a broken configuration is in the error, and nothing is on stderr",
  .timeLimit(.minutes(5)))
func brokenConfiguration() async {
  let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
    configure()
    let error = #expect(throws: PCMError.self) { try PCMOutput(PCMRequest(device: "broken")) }
    #expect(error?.description.hasPrefix("opening broken: ") == true)
    #expect(error?.description.contains("libasound_module_pcm_nonsense.so") == true)
  }
  #expect(result?.standardErrorContent == [])
}

@Test("The devices alsa-lib names are listed with what it says of them")
func listsDevices() {
  let null = PCMDevice.outputs().first { $0.name == "null" }
  #expect(null?.summary == "Discard all samples (playback) or generate zero samples (capture)")
}
