import Testing

@testable import synth

@Suite("The meters of channels")
struct ChannelMetersTests {
  @Test("show a bar, the peak of the last two seconds and a mark for each channel, in the room there is")
  func bars() {
    var meters = ChannelMeters(channelCount: 2)
    #expect(meters.text(width: 32) == "1 ░░░░░          2 ░░░░░        ")
    meters.note([0.1, 1], at: 0)
    #expect(meters.text(width: 32) == "1 ███│░  -20.0   2 █████    0.0!")
    meters.note([0, 0.5], at: 1)
    #expect(meters.text(width: 32) == "1 ░░░│░  -20.0   2 ████│    0.0!")
    meters.note([0, 0.5], at: 2.1)
    #expect(meters.text(width: 32) == "1 ░░░░░          2 ████│   -6.0!")
    #expect(meters.highest == 1 && meters.clipped == [2])
    for width in 32...100 { #expect(meters.text(width: width).count <= width) }
  }

  @Test("are a column each where there are many")
  func columns() {
    var meters = ChannelMeters(channelCount: 8)
    meters.note([0, 0.001, 0.01, 0.1, 0.5, 1, 0, 2], at: 0)
    #expect(meters.text(width: 69) == "[ ▁▃▆██ █]    6.0  clipped: 6,8")
  }
}
