import CFluidSynth
import Synchronization

/// Which preset each channel has, as the audio thread tells it. Its memory belongs to a `PresetNewsMemory`.
struct PresetNews {
  fileprivate let cells: UnsafeMutablePointer<Cell>

  fileprivate struct Cell: ~Copyable {
    let value = Atomic<UInt64>(0)
  }

  /// [audio thread]
  ///
  /// - Parameters:
  ///   - preset: nil for none.
  ///   - serial: the number of the set of instruments it belongs to.
  @_noLocks
  func publish(_ preset: OpaquePointer?, ofChannel channel: Int, serial: UInt32) {
    guard let preset, let font = fluid_preset_get_sfont(preset) else {
      return cells[channel].value.store(0, ordering: .relaxed)
    }
    var value = UInt64(serial) << 32
    value |= UInt64(truncatingIfNeeded: fluid_sfont_get_id(font) & 0xFF) << 24
    value |= UInt64(truncatingIfNeeded: fluid_preset_get_banknum(preset) & 0xFFFF) << 8
    value |= UInt64(truncatingIfNeeded: fluid_preset_get_num(preset) & 0xFF)
    cells[channel].value.store(value, ordering: .relaxed)
  }
}

/// The memory of preset news, and its reading end.
final class PresetNewsMemory: @unchecked Sendable {
  let news: PresetNews

  init() {
    let cells = UnsafeMutablePointer<PresetNews.Cell>.allocate(capacity: midiChannelCount)
    for channel in 0..<midiChannelCount { (cells + channel).initialize(to: PresetNews.Cell()) }
    news = PresetNews(cells: cells)
  }

  deinit {
    news.cells.deinitialize(count: midiChannelCount)
    news.cells.deallocate()
  }

  /// The preset of a channel, and the set of instruments it belongs to; nil for none. [any thread]
  func preset(ofChannel channel: Int) -> (serial: UInt32, address: PresetIndex.Address)? {
    let value = news.cells[channel].value.load(ordering: .relaxed)
    guard value != 0 else { return nil }
    let address = PresetIndex.Address(
      font: Int32(value >> 24 & 0xFF), bank: Int32(value >> 8 & 0xFFFF), program: Int32(value & 0xFF))
    return (UInt32(value >> 32), address)
  }
}
