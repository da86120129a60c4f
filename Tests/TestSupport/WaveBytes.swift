import Glibc

/// A WAVE file of 16 bits, with chunks for samplers if they are asked for.
public struct WaveBytes {
  /// One wave, or left and right.
  public var channels: [[Int16]]
  public var rate = 48000
  /// Key, part of a semitone that the sample is higher, and a loop, whose end is its last frame.
  public var sampler: (key: UInt8, fraction: Double, loop: ClosedRange<Int>?)?
  /// Key, cents, decibels, lowest and highest key, lowest and highest velocity.
  public var instrument: [Int8]?

  public init(_ channels: [[Int16]]) { self.channels = channels }

  /// A sine of whole periods.
  public static func sine(period: Int, count: Int, amplitude: Double = 0.5) -> WaveBytes {
    WaveBytes([
      (0..<count).map { Int16((32767 * amplitude * sin(2 * .pi * Double($0 % period) / Double(period))).rounded()) }
    ])
  }

  public var bytes: [UInt8] {
    let frameSize = 2 * channels.count
    var format = words(1, channels.count) + longs(rate, rate * frameSize)
    format += words(frameSize, 16)
    var data: [UInt8] = []
    for frame in channels[0].indices {
      for channel in channels { data += words(Int(UInt16(bitPattern: channel[frame]))) }
    }
    var chunks = chunk("fmt ", format)
    if let sampler {
      var smpl = longs(0, 0, 0, Int(sampler.key), Int(sampler.fraction * 4_294_967_296), 0, 0)
      smpl += longs(sampler.loop == nil ? 0 : 1, 0)
      if let loop = sampler.loop { smpl += longs(0, 0, loop.lowerBound, loop.upperBound, 0, 0) }
      chunks += chunk("smpl", smpl)
    }
    if let instrument { chunks += chunk("inst", instrument.map(UInt8.init(bitPattern:))) }
    return chunk("RIFF", Array("WAVE".utf8) + chunks + chunk("data", data))
  }

  private func chunk(_ tag: String, _ data: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + longs(data.count) + data + (data.count % 2 == 1 ? [0] : [])
  }

  private func words(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private func longs(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }

  /// Writes files into a new folder, which is gone when `body` returns.
  public static func withFolder<Result>(_ files: [String: [UInt8]], _ body: (String) throws -> Result) rethrows
    -> Result
  {
    let folder = "/tmp/samples-\(UInt64.random(in: 0 ... .max))"
    mkdir(folder, 0o700)
    defer {
      for name in files.keys { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    for (name, bytes) in files {
      guard let file = fopen("\(folder)/\(name)", "wb") else { preconditionFailure("writing \(folder)/\(name)") }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    return try body(folder)
  }
}
