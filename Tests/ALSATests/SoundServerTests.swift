import Glibc
import Testing

@testable import SynthALSA

@Suite("Sound servers are told")
struct SoundServerTests {
  // In a process for itself: other tests' threads read the environment.
  @Test("who plays and what for, unless the user has said it", .timeLimit(.minutes(5)))
  func introduction() async {
    await #expect(processExitsWith: .success) {
      let names = [
        "PULSE_PROP_media.role", "PULSE_PROP_application.icon_name", "PULSE_PROP_OVERRIDE", "PIPEWIRE_ALSA",
      ]
      func values() -> [String?] { names.map { getenv($0).map { String(cString: $0) } } }
      for name in names { unsetenv(name) }
      SoundServer.introduce("synth", icon: "audio-x-generic", as: .music)
      let told = [
        "music", "audio-x-generic", "application.name=synth",
        "{ application.name=synth application.icon-name=audio-x-generic media.role=Music }",
      ]
      #expect(values() == told)
      for name in names { setenv(name, "the user's", 1) }
      SoundServer.introduce("synth", icon: "audio-x-generic", as: .production)
      #expect(values() == Array(repeating: "the user's", count: 4))
    }
  }
}
