import Synchronization
import SynthMIDI

/// What the audio thread reports of a rack.
final class RackReporter: Sendable {
  let activeVoiceCount = Atomic<Int>(0)
  let lostVoiceCount = Atomic<Int>(0)
  let stolenVoiceCount = Atomic<Int>(0)
  let refusedTuningCount = Atomic<Int>(0)
}

/// Reports which preset each channel has, of those of all ports. Its memory belongs to a `PresetReporterMemory`.
struct PresetReporter {
  fileprivate let cells: UnsafeMutablePointer<Cell>

  fileprivate struct Cell: ~Copyable {
    let value = Atomic<UInt64>(0)
  }

  /// [audio thread]
  ///
  /// - Parameters:
  ///   - code: the engine's number of the preset; 0 for none.
  ///   - engine: the place of the engine in its rack.
  ///   - serial: the number of the rack.
  @_noLocks
  func report(_ code: UInt32, of engine: Int, ofChannel channel: Int, serial: UInt32) {
    var value = UInt64(serial & 0xFF_FFFF) << 40
    value |= UInt64(truncatingIfNeeded: engine & 0xFF) << 32
    value |= UInt64(code)
    cells[channel].value.store(code == 0 ? 0 : value, ordering: .relaxed)
  }
}

/// The memory of a preset reporter, and its reading end.
final class PresetReporterMemory: @unchecked Sendable {
  let reporter: PresetReporter

  init() {
    let cells = UnsafeMutablePointer<PresetReporter.Cell>.allocate(capacity: MIDIPorts.channelCount)
    for channel in 0..<MIDIPorts.channelCount { (cells + channel).initialize(to: PresetReporter.Cell()) }
    reporter = PresetReporter(cells: cells)
  }

  deinit {
    reporter.cells.deinitialize(count: MIDIPorts.channelCount)
    reporter.cells.deallocate()
  }

  /// The preset of a channel, its engine, and the lower 24 bits of its rack's number; nil for none. [any thread]
  func preset(ofChannel channel: Int) -> (serial: UInt32, engine: Int, code: UInt32)? {
    let value = reporter.cells[channel].value.load(ordering: .relaxed)
    guard value != 0 else { return nil }
    return (UInt32(value >> 40), Int(value >> 32 & 0xFF), UInt32(truncatingIfNeeded: value))
  }
}
