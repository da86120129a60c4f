import CSynthFluidSynth
import Foundation
import Testing

@Suite("FluidSynth's voices are centred before they are used")
struct CentredVoicesTests {
  @Test("they have given back the sample that centred them when it goes")
  func memory() throws {
    let settings = try #require(new_fluid_settings())
    defer { delete_fluid_settings(settings) }
    // With it, every call gives samples back.
    fluid_settings_setint(settings, "synth.threadsafe-api", 0)
    let synth = try #require(fluidsynth_create(settings))
    defer { delete_fluid_synth(synth) }
    fluidsynth_centre_voices(synth, 256)

    let blocks = MemoryBlocks()
    _ = fluid_synth_get_active_voice_count(synth)
    #expect(blocks.changedByteCount == 0)
  }
}

/// Takes what the allocator has been given back last, of each size of a small block.
private final class MemoryBlocks {
  private let blocks: [(start: UnsafeMutableRawPointer, size: Int)]

  init() {
    blocks = stride(from: 24, through: 1016, by: 16).flatMap { size in
      (0..<8).compactMap { _ in malloc(size).map { (memset($0, 0x55, size), size) } }
    }
  }

  var changedByteCount: Int {
    blocks.reduce(0) { sum, block in
      sum + UnsafeRawBufferPointer(start: block.start, count: block.size).count { $0 != 0x55 }
    }
  }

  deinit { for block in blocks { free(block.start) } }
}
