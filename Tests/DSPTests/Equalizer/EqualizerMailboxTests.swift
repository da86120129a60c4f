import Testing

@testable import DSP

@Suite struct EqualizerMailboxTests {
  /// A setting in which every number is `value`, so that a torn one shows.
  private static func setting(_ value: Double) -> EqualizerCoefficients {
    let section = BiquadSection(gain: 1, b1: 2 * value, b2: 2 * value, a1: value, a2: value)
    return EqualizerCoefficients(
      sections: Array(repeating: section, count: 10), preCut: Decibels(amplitude: value))
  }

  private static func isWhole(_ setting: EqualizerCoefficients) -> Bool {
    let value = setting.sections[0].a1
    return (0..<10).allSatisfy { setting.sections[$0].a1 == value && setting.sections[$0].d2 == value }
      && abs(setting.gain - value) < 1e-9 * value
  }

  @Test("an empty mailbox gives nothing, a full one its setting once")
  func onceOnly() {
    let mailbox = EqualizerMailbox()
    var reader = EqualizerMailbox.Reader(mailbox)
    #expect(reader.take() == nil)
    mailbox.post(Self.setting(2))
    #expect(reader.take()?.pointee.sections[9].a2 == 2)
    #expect(reader.take() == nil)
  }

  @Test("the latest of several settings wins")
  func latestWins() {
    let mailbox = EqualizerMailbox()
    var reader = EqualizerMailbox.Reader(mailbox)
    for value in 1...5 { mailbox.post(Self.setting(Double(value))) }
    #expect(reader.take()?.pointee.sections[0].a1 == 5)
  }

  @Test("a reader on another thread sees whole settings in rising order and the last one in the end")
  func concurrent() async {
    let mailbox = EqualizerMailbox()
    let last = 20000.0
    async let faults = Task.detached {
      var reader = EqualizerMailbox.Reader(mailbox)
      var (seen, faults) = (0.0, 0)
      while seen < last {
        guard let setting = reader.take()?.pointee else {
          await Task.yield()
          continue
        }
        if !Self.isWhole(setting) || setting.sections[0].a1 <= seen { faults += 1 }
        seen = setting.sections[0].a1
      }
      return faults
    }.value
    for value in 1...Int(last) { mailbox.post(Self.setting(Double(value))) }
    #expect(await faults == 0)
  }
}
