import Glibc
import SynthALSA
import Testing

/// The line that opening gives; nil if it succeeds.
private func refusal(_ request: PCMRequest) -> String? {
  do throws(PCMError) {
    _ = try PCMOutput(request)
    return nil
  } catch {
    return error.description
  }
}

@Test(
  "A device that does not exist is told as such",
  arguments: ["nosuch", "hw:CARD=Nowhere", "hw:31", "hw:31,7"])
func missingDevice(name: String) {
  #expect(
    refusal(PCMRequest(device: name))
      == "opening \(name): no such device — list the devices that are present")
}

@Test("A request that no device can fulfil is refused by name, with the range")
func invalidRequests() {
  #expect(refusal(PCMRequest(device: "")) == "setting up : no device name — list the devices")
  #expect(
    refusal(PCMRequest(device: "null", channelCount: 0))
      == "setting up null: 0 channels — must be 1 to 256")
  #expect(
    refusal(PCMRequest(device: "null", sampleRate: -1))
      == "setting up null: -1 frames per second — must be 4000 to 768000")
  #expect(
    refusal(PCMRequest(device: "null", period: .max))
      == "setting up null: \(Int.max) frames per period — must be 16 to 65536")
  #expect(
    refusal(PCMRequest(device: "null", period: 256, buffer: 511))
      == "setting up null: 511 frames of buffer — must be 512 to 1048576")
}

@Test(
  "A busy device names its holders, a forbidden one the remedy, and an unknown code the library's words"
)
func causes() {
  let pipewire = DeviceHolder(name: "pipewire", process: 812)
  let jack = DeviceHolder(name: "jackd", process: 7)
  func line(_ cause: PCMError.Cause) -> String { PCMError("opening", "hw:1", cause).description }
  #expect(
    line(.busy(holders: [pipewire]))
      == "opening hw:1: device or resource busy — held by pipewire (pid 812); use the default device, or stop it"
  )
  #expect(
    line(.busy(holders: [pipewire, jack]))
      == "opening hw:1: device or resource busy — held by pipewire (pid 812), jackd (pid 7); "
      + "use the default device, or stop them")
  #expect(
    line(.busy(holders: []))
      == "opening hw:1: device or resource busy — another program holds it; use the default device, or stop that program"
  )
  #expect(
    line(.permissionDenied)
      == "opening hw:1: permission denied — add yourself to the group audio (sudo usermod -aG audio $USER), "
      + "then log in again")
  let channels = PCMError.Cause.unsupported(
    "not with 6 channels", instead: "it has 1 to 2", .chooseChannels)
  #expect(
    line(channels) == "opening hw:1: not with 6 channels — it has 1 to 2; ask for another count")
  #expect(channels.text { _ in "see -c" } == "not with 6 channels — it has 1 to 2; see -c")
  #expect(
    line(.unsupported("none of the sample formats X", instead: nil, .useDefault))
      == "opening hw:1: none of the sample formats X — use the default device, which converts")
  #expect(PCMError.Cause(code: -EINVAL, device: "x", message: "") == .failed("invalid argument"))
  #expect(
    PCMError.Cause(code: -EINVAL, device: "x", message: "Bad x")
      == .failed("invalid argument (Bad x)"))
  for code in [EHOSTDOWN, ECONNREFUSED] {
    #expect(PCMError.Cause(code: -code, device: "default", message: "") == .serverAbsent)
  }
  #expect(PCMError.Cause(code: -EACCES, device: "x", message: "") == .permissionDenied)
}

@Test("The process that has a file open is found by the file's name")
func findsHolder() {
  let path = "/tmp/deviceholder-\(getpid())"
  let file = open(path, O_CREAT | O_RDWR, 0o600)
  defer {
    close(file)
    unlink(path)
  }
  // A child that another test has just forked has it open too.
  #expect(DeviceHolder.holders { $0 == path }.map(\.process).contains(getpid()))
  #expect(DeviceHolder.holders { $0 == "\(path)-not" } == [])
}

@Test("A running substream's owner is read from its status")
func findsOwner() {
  let directory = "/tmp/owners-\(getpid())"
  mkdir(directory, 0o700)
  mkdir("\(directory)/sub0", 0o700)
  let file = fopen("\(directory)/sub0/status", "w")
  fputs("state: RUNNING\nowner_pid   : \(getpid())\ntrigger_time: 1.5\n", file)
  fclose(file)
  defer {
    unlink("\(directory)/sub0/status")
    rmdir("\(directory)/sub0")
    rmdir(directory)
  }
  #expect(DeviceHolder.owners(status: directory).map(\.process) == [getpid()])
}

@Test("The card and device in a hardware name give the node that is open while it plays")
func hardwareNames() {
  let indices: [String: Int32] = ["1": 1, "PCH": 2]
  func node(_ name: String) -> String? {
    HardwareName(name) { indices[$0] ?? -19 }?.node(.playback)
  }
  #expect(node("hw:1") == "/dev/snd/pcmC1D0p")
  #expect(node("plughw:1,3") == "/dev/snd/pcmC1D3p")
  #expect(node("hw:CARD=PCH,DEV=7") == "/dev/snd/pcmC2D7p")
  #expect(node("hw:DEV=7,CARD=PCH") == "/dev/snd/pcmC2D7p")
  #expect(node("hw:CARD=Gone,DEV=0") == nil)
  #expect(node("hw:") == nil)
  #expect(node("default") == nil)
  #expect(HardwareName("hw:1,3") { _ in 1 }?.node(.capture) == "/dev/snd/pcmC1D3c")
}

@Test("A card's number becomes its id, which it keeps; other names stay as they are")
func lastingNames() {
  let ids = [1: "PCH\n"]
  func lasting(_ name: String) -> String { HardwareName.stable(name) { ids[$0] } }
  #expect(lasting("hw:1") == "hw:CARD=PCH")
  #expect(lasting("plughw:1,3") == "plughw:CARD=PCH,DEV=3")
  #expect(lasting("hw:1,0,2") == "hw:CARD=PCH,DEV=0,SUBDEV=2")
  #expect(lasting("hw:DEV=7,CARD=1") == "hw:DEV=7,CARD=PCH")
  for name in ["hw:2", "hw:", "hw", "hw:CARD=PCH,DEV=0", "hw:-1", "default", "file:1,raw", "null"] {
    #expect(lasting(name) == name)
  }
}

@Test("The first device that can be opened is taken; if none can, the error is the first one's")
func takesFallbacks() throws {
  let output = try PCMOutput(PCMRequest(device: "nosuch", fallbacks: ["hw:31", "null", "nosuch2"]))
  #expect(output.parameters.device == "null")
  #expect(output.present == output.parameters)
  #expect(
    refusal(PCMRequest(device: "nosuch", fallbacks: ["hw:31"]))
      == "opening nosuch: no such device — list the devices that are present")
  #expect(
    refusal(PCMRequest(device: "null", fallbacks: [""]))
      == "setting up null: no device name — list the devices")
}
