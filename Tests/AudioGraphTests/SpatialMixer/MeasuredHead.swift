import CSynthMySofa
@preconcurrency import Glibc
import SynthDSP
import Testing

/// The measured responses of the standard set as they are in its file, read apart from the code under test.
final class MeasuredHead: @unchecked Sendable {
  private let hrtf: UnsafeMutablePointer<MYSOFA_HRTF>
  let sampleRate: Double

  init() throws {
    try #require(mysofa_load_library() == nil)
    var code: Int32 = 0
    let file = try #require(fopen(HRTFSet.standardPath, "r"))
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 1 << 24)
    let count = fread(&bytes, 1, bytes.count, file)
    guard let hrtf = mysofa_load_data(&bytes, count, &code) else {
      throw HRTFUnreadable(code: code)
    }
    self.hrtf = hrtf
    sampleRate = Double(hrtf.pointee.DataSamplingRate.values[0])
  }

  struct HRTFUnreadable: Error { let code: Int32 }

  deinit { mysofa_free(hrtf) }

  /// The two responses of a direction on a level with the ears, positive to the right; nil if it was not measured.
  func responses(azimuth: Double) -> (left: [Float], right: [Float])? {
    let (set, wanted) = (hrtf.pointee, azimuth <= 0 ? -azimuth : 360 - azimuth)
    let length = Int(set.N)
    for index in 0..<Int(set.M) {
      let place = set.SourcePosition.values + 3 * index
      guard abs(Double(place[0]) - wanted) < 0.01, abs(place[1]) < 0.01 else { continue }
      let first = set.DataIR.values + 2 * index * length
      return (
        Array(UnsafeBufferPointer(start: first, count: length)),
        Array(UnsafeBufferPointer(start: first + length, count: length))
      )
    }
    return nil
  }
}

/// The impulse responses of two ears, measured in frequency.
struct EarPair {
  /// In hertz, the frequencies that are looked at.
  private static let spacing = 50.0
  private static let count = 227
  private let left: [SIMD2<Double>]
  private let right: [SIMD2<Double>]

  init(_ left: [Float], _ right: [Float], sampleRate: Double) {
    self.left = Self.spectrum(left, sampleRate)
    self.right = Self.spectrum(right, sampleRate)
  }

  /// By how many decibels the left ear hears more than the right one: in the five octaves about 500 to 8000 Hz.
  var levelDifferences: [Double] {
    zip(Self.octaves(left), Self.octaves(right)).map { 10 * log10($0 / $1) }
  }

  /// What both ears hear in these octaves, in decibels.
  var levels: [Double] { zip(Self.octaves(left), Self.octaves(right)).map { 10 * log10($0 + $1) } }

  private static func octaves(_ spectrum: [SIMD2<Double>]) -> [Double] {
    [500.0, 1000, 2000, 4000, 8000].map { centre in
      let first = Int((centre * 0.5.squareRoot() / spacing).rounded(.up))
      let last = Int(centre * 2.0.squareRoot() / spacing)
      return spectrum[first...last].reduce(0) { $0 + ($1 * $1).sum() }
    }
  }

  /// By how many seconds sound is later on the right than on the left: where the cross-correlation up to 1.5 kHz is
  /// highest, in steps of 2 µs.
  var timeDifference: Double {
    var best = (time: 0.0, height: -Double.infinity)
    let lows = (1..<30).map { index in
      let (a, b) = (left[index], right[index])
      let window = 1 + cos(Double.pi * Double(index) / 30)
      return SIMD2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y) * window
    }
    for step in -500...500 {
      let time = Double(step) * 2e-6
      var height = 0.0
      for (index, cross) in lows.enumerated() {
        let angle = 2 * Double.pi * Double(index + 1) * Self.spacing * time
        height += cross.x * cos(angle) + cross.y * sin(angle)
      }
      if height > best.height { best = (time, height) }
    }
    return best.time
  }

  private static func spectrum(_ samples: [Float], _ sampleRate: Double) -> [SIMD2<Double>] {
    (0..<count).map { index in
      let angle = -2 * Double.pi * Double(index) * spacing / sampleRate
      let (turnX, turnY) = (cos(angle), sin(angle))
      var (x, y, real, imaginary) = (1.0, 0.0, 0.0, 0.0)
      for sample in samples {
        real += Double(sample) * x
        imaginary += Double(sample) * y
        (x, y) = (x * turnX - y * turnY, x * turnY + y * turnX)
      }
      return SIMD2(real, imaginary)
    }
  }
}
