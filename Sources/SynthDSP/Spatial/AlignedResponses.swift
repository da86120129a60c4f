import CSynthMySofa
@preconcurrency import Glibc

/// The impulse responses of a measured set, each from the moment at which sound arrives, and when that is. [control
/// thread]
///
/// Responses that are interpolated as they were measured have two arrivals each, which cancel highs out. So delay and
/// shape are interpolated by themselves. A delay is found to a fraction of a sample, where the response first reaches
/// 15 % of its peak; the shape is read from there by a windowed sinc, at any rate.
struct AlignedResponses {
  /// In seconds: what is kept of a response before its onset and in all. The window fades its last eighth.
  private static let lead = 16 / 44100.0
  private static let duration = 128 / 44100.0
  private static let onsetShare: Float = 0.15

  /// All ears of all directions, one after the other.
  private let responses: [Float]
  private let length: Int
  private let sampleRate: Double
  /// For each response where the part that is kept begins, in samples; the earliest is `firstStart`.
  private let starts: [Double]
  /// For each response what the file says beside it, in seconds.
  private let delays: [Double]

  init(_ hrtf: MYSOFA_HRTF, sampleRate: Double) {
    length = Int(hrtf.N)
    let count = Int(hrtf.M) * Int(hrtf.R)
    responses = Array(UnsafeBufferPointer(start: hrtf.DataIR.values, count: count * length))
    self.sampleRate = sampleRate
    let delayCount = Int(hrtf.DataDelay.elements)
    let given = UnsafeBufferPointer(start: hrtf.DataDelay.values, count: delayCount)
    delays = (0..<count).map { delayCount > 0 ? Double(given[$0 % delayCount]) / sampleRate : 0 }
    var starts: [Double] = []
    for index in 0..<count {
      let onset = Self.onset(responses[index * length..<(index + 1) * length])
      starts.append(onset - Self.lead * sampleRate)
    }
    self.starts = starts
  }

  private static func onset(_ response: ArraySlice<Float>) -> Double {
    let threshold = onsetShare * (response.lazy.map { abs($0) }.max() ?? 0)
    guard threshold > 0, let first = response.firstIndex(where: { abs($0) >= threshold }) else { return 0 }
    let before = first > response.startIndex ? abs(response[first - 1]) : 0
    let part = (threshold - before) / (abs(response[first]) - before)
    return Double(first - response.startIndex - 1) + Double(part)
  }

  /// A multiple of eight.
  func tapCount(sampleRate: Double) -> Int { Int((Self.duration * sampleRate / 8).rounded(.up)) * 8 }

  /// Puts these responses at another rate, and their delays in seconds, in the place of those that the library has, so
  /// that it interpolates them. The earliest delay becomes 0.
  func replace(_ hrtf: inout MYSOFA_HRTF, tapCount: Int, sampleRate target: Double) {
    let kernel = SincTable(tapCount: 32, cutoff: 0.5 * min(1, target / sampleRate))
    let (count, step) = (starts.count, sampleRate / target)
    let all = Self.memory(count * tapCount)
    let window = (0..<tapCount).map { tap in
      let rest = Double(tapCount - tap) / Double(tapCount / 8)
      return rest < 1 ? (1 - cos(.pi * rest)) / 2 : 1
    }
    // Half the kernel on both sides, so that no read lies outside.
    let margin = 32
    var padded = [Float](repeating: 0, count: length + 2 * margin)
    for index in 0..<count {
      for sample in 0..<length { padded[margin + sample] = responses[index * length + sample] }
      padded.withUnsafeBufferPointer { samples in
        for tap in 0..<tapCount {
          let position = starts[index] + Double(tap) * step + Double(margin)
          guard position >= 16, position < Double(samples.count - 17) else {
            all[index * tapCount + tap] = 0
            continue
          }
          // A filter that has more taps is as many times louder.
          all[index * tapCount + tap] = kernel.rows.read(samples.baseAddress!, at: position) * Float(window[tap] * step)
        }
      }
    }
    let arrivals = zip(starts, delays).map { $0 / sampleRate + $1 }
    let first = arrivals.min() ?? 0
    let times = Self.memory(count)
    for (index, arrival) in arrivals.enumerated() { times[index] = Float(arrival - first) }
    Self.set(&hrtf.DataIR, all, count * tapCount)
    Self.set(&hrtf.DataDelay, times, count)
    hrtf.N = UInt32(tapCount)
  }

  /// The library frees it.
  private static func memory(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = malloc(count * MemoryLayout<Float>.stride)!.bindMemory(to: Float.self, capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  private static func set(_ array: inout MYSOFA_ARRAY, _ values: UnsafeMutablePointer<Float>, _ count: Int) {
    free(array.values)
    array.values = values
    array.elements = UInt32(count)
  }
}
