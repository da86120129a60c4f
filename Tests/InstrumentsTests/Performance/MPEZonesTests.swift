import Testing

@testable import SynthInstruments

@Suite("MPE zones")
struct MPEZonesTests {
  @Test("are off at first: every channel is its own")
  func off() {
    let zones = MPEZones()
    for channel in UInt8(0)..<16 {
      #expect(zones.master(of: channel) == channel)
      #expect(!zones.contain(channel))
    }
  }

  @Test("reach upwards from channel 1 and downwards from channel 16")
  func members() {
    var zones = MPEZones()
    _ = zones.configure(master: 0, memberCount: 3)
    _ = zones.configure(master: 15, memberCount: 2)
    #expect((UInt8(0)..<16).map { zones.master(of: $0) } == [0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 15, 15])
    #expect(zones.scope(of: 0) == 0b0000_0000_0000_1111)
    #expect(zones.scope(of: 15) == 0b1110_0000_0000_0000)
    #expect(zones.scope(of: 2) == 0b100)
  }

  @Test("of fifteen members leave no master to the other")
  func whole() {
    var zones = MPEZones()
    _ = zones.configure(master: 15, memberCount: 4)
    _ = zones.configure(master: 0, memberCount: 15)
    #expect((zones.lowerCount, zones.upperCount) == (15, 0))
    #expect(zones.master(of: 15) == 0)
  }

  @Test("give way to the one set up last")
  func overlap() {
    var zones = MPEZones()
    _ = zones.configure(master: 0, memberCount: 10)
    _ = zones.configure(master: 15, memberCount: 8)
    #expect((zones.lowerCount, zones.upperCount) == (6, 8))
  }

  @Test("are switched off by 0 members, and set up on no other channel")
  func switchingOff() {
    var zones = MPEZones()
    _ = zones.configure(master: 0, memberCount: 10)
    let isMaster = zones.configure(master: 3, memberCount: 10)
    #expect(!isMaster)
    _ = zones.configure(master: 0, memberCount: 0)
    #expect(zones == MPEZones())
  }
}
