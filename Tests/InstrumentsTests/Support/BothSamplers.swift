import SynthFluidSynth
import SynthInstruments
import TestSupport

extension SamplerEngine {
  static let allCases = [native, fluidSynth]
}

/// Both SoundFont engines on all channels.
enum BothSamplers {
  /// GS Data Set 1 for device 16, F0 and F7 left out: three bytes of address, data, checksum.
  static func gs(_ addressAndData: UInt8...) -> [UInt8] {
    let sum = addressAndData.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + addressAndData + [UInt8((128 - sum % 128) % 128)]
  }

  /// XG Parameter Change for device 1.
  static func xg(_ addressAndData: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + addressAndData }

  static let xgReset: [UInt8] = [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00]
  static let gsReset = gs(0x40, 0x00, 0x7F, 0x00)
}
