// MIDI in and out: lists the ports, passes on what a keyboard of the program's own plays, an octave higher, to a
// recorder and to a port that others can connect to, follows its clock, and saves it: MIDIInOut FILE [PORT]

import Glibc
import SynthKit

/// Follows the clock among what comes.
final class Follower: MIDISink {
  private let follower = CheckedMutex(MIDIClockFollower())
  var tempo: Double? { follower.withLock { $0.tempo } }

  func receive(_ event: MIDISourceEvent) {
    guard case .received(.clock(let message), _, let time) = event else { return }
    follower.withLock { $0.receive(message, at: time) }
  }
}

let keys = VirtualSource("screen keyboard")
let recorder = MIDIRecorder()
var sinks: [any MIDISink] = [recorder]
do {
  let ports = try SequencerPorts()
  for port in ports.all() { print("\(port.isSource ? "from" : "to")  \(port)") }
  let output = try SequencerOutput(clientName: "example", portName: "octave")
  if let wish = CommandLine.arguments.dropFirst(2).first, let port = ports.destination(named: wish) {
    try output.connect(port)
  }
  sinks.append(output)
} catch {
  print("without a sequencer: \(error)")
}

var setting = MIDIThrough.Setting()
setting.transposition = 12
setting.channels[0] = 4
let through = MIDIThrough(setting, to: sinks)
let follower = Follower()
keys.start { event in
  follower.receive(event)
  through.receive(event)
}

// A scale at 120 quarter notes a minute, with its clock. Times to come are for the port's queue to keep.
let start = HostClock.now + 50_000_000
var clock = MIDIClockTimes(TempoMap(tempo: 120))
for entry in clock.start(at: start) + clock.take(before: start + 2_000_000_000) {
  keys.deliver(.received(.clock(entry.message), from: keys.port, hostTime: entry.hostTime))
}
for (step, key) in ([60, 62, 64, 65] as [UInt8]).enumerated() {
  let time = start + UInt64(step) * 500_000_000
  keys.send(.noteOn(channel: 0, note: key, velocity7: 100), at: time)
  keys.send(.noteOff(channel: 0, note: key), at: time + 400_000_000)
}
keys.send(systemExclusive: MIDISourceEvent.systemOn, at: start + 2_000_000_000)

let path = CommandLine.arguments.dropFirst().first ?? "scale.mid"
let sequence = MusicSequence(recorder.entries, tempo: follower.tempo ?? 0, from: start)
try sequence.write(to: path)
let file = MusicSequence(try MIDIFile(path: path))
let notes = file.tracks.flatMap(\.events).compactMap { event -> String? in
  guard case .message(let message) = event.content, message.kind == .noteOn else { return nil }
  return "\(message.note) on channel \(message.channel + 1) at beat \(file.beat(at: event.tick))"
}
print("tempo \(file.tempos[0].value): \(notes.joined(separator: ", "))")
// What the port's queue has is played before the port goes.
if sinks.count > 1 { usleep(2_100_000) }
