import AudioGraph
import SynthKit
import Testing

@Suite("The channel space of several devices")
struct ChannelAssignmentTests {
  private let space = ChannelSpace([
    .init(name: "hw:CARD=A,DEV=0", channelCount: 2), .init(name: "hw:CARD=B,DEV=0", channelCount: 4),
    .init(name: "null", channelCount: 1),
  ])

  @Test("numbers the channels of all devices in their order from 0")
  func numbers() throws {
    #expect(space.channelCount == 7)
    #expect(try space.channel(1, of: "hw:CARD=A,DEV=0") == 1)
    #expect(try space.channel(0, of: "hw:CARD=B,DEV=0") == 2)
    #expect(try space.channel(0, of: "null") == 6)
  }

  @Test("turns assignments into the map that does the same; what is not assigned is silent")
  func maps() throws {
    let assignments = try ["hw:CARD=B,DEV=0#1=left", "hw:CARD=B,DEV=0#3=right", "null#1=mono"]
      .map { try ChannelAssignment(parsing: $0) }
    #expect(try space.map(assignments) == ChannelMap([-1, -1, 0, -1, 1, -1, ChannelMap.mean]))
    #expect(assignments[1] == ChannelAssignment(device: "hw:CARD=B,DEV=0", channel: 2, source: 1))
    #expect(assignments.map(\.description).suffix(2) == ["hw:CARD=B,DEV=0#3=right", "null#1=mono"])
  }

  @Test(
    "refuses what is no assignment",
    arguments: [
      "", "hw:0", "hw:0#1", "hw:0=left", "#1=left", "hw:0#0=left", "hw:0#-1=left", "hw:0#x=left", "hw:0#1=middle",
    ])
  func refusesNonsense(text: String) {
    #expect(throws: ChannelAssignmentError.malformed(text)) { try ChannelAssignment(parsing: text) }
  }

  @Test("says which device or channel there is not, and what there is")
  func refusesStrangers() {
    let stranger = ChannelAssignment(device: "hw:CARD=C,DEV=0", channel: 0, source: 0)
    let unknown = #expect(throws: ChannelAssignmentError.self) { try space.map([stranger]) }
    #expect(
      unknown?.description
        == "assigning a channel of hw:CARD=C,DEV=0: it is none of the devices that are open; they are "
        + "hw:CARD=A,DEV=0, hw:CARD=B,DEV=0, null")
    let beyond = ChannelAssignment(device: "hw:CARD=B,DEV=0", channel: 4, source: 0)
    let missing = #expect(throws: ChannelAssignmentError.self) { try space.map([beyond]) }
    #expect(missing?.description == "assigning channel 5 of hw:CARD=B,DEV=0: it has channels 1 to 4")
    let left = ChannelAssignment(device: "null", channel: 0, source: 0)
    #expect(throws: ChannelAssignmentError.assignedTwice(left)) { try space.map([left, left]) }
  }
}
