@preconcurrency import Glibc

/// Spoken words that come with alsa-utils: "Front Center", "Rear Left" … in mono at 48 kHz.
public enum Speech {
  /// The words one after the other, over and over, at a level in decibels (RMS) of full scale.
  public static func words(_ names: [String], frameCount: Int, level: Double) throws -> [Float] {
    let words = try names.flatMap { samples(try TestFiles.word($0)) }
    let gain = Float(pow(10, level / 20) / rms(words[...]))
    return (0..<frameCount).map { words[$0 % words.count] * gain }
  }

  /// Of 16-bit WAV with the plain header of 44 bytes.
  private static func samples(_ path: String) -> [Float] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 44, SEEK_SET)
    var words = [Int16](repeating: 0, count: 1 << 18)
    let count = fread(&words, 2, words.count, file)
    return words.prefix(count).map { Float($0) / 32768 }
  }

  public static func rms(_ samples: ArraySlice<Float>) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
  }
}

/// A room of 5 by 4 by 2.8 m with a loudspeaker and a microphone 0.8 m apart, as mirror images of the loudspeaker
/// (Allen and Berkley, "Image Method for Efficiently Simulating Small-Room Acoustics", JASA 65:4, 1979).
public enum EchoRoom {
  /// What the microphone hears of what the loudspeaker plays at 48 kHz, at a level in decibels (RMS) of full scale.
  ///
  /// - Parameter delay: of the devices, in frames.
  public static func echo(of played: [Float], delay: Int = 960, level: Double) -> [Float] {
    var heard = [Float](repeating: 0, count: played.count)
    heard.withUnsafeMutableBufferPointer { heard in
      played.withUnsafeBufferPointer { played in
        for image in images {
          let start = min(delay + image.delay, played.count)
          for frame in start..<played.count { heard[frame] += image.gain * played[frame - start] }
        }
      }
    }
    let gain = Float(pow(10, level / 20) / Speech.rms(heard[...]))
    return heard.map { $0 * gain }
  }

  /// Those that were reflected up to five times; a wall keeps three quarters of the amplitude.
  private static let images: [(delay: Int, gain: Float)] = {
    let (size, loudspeaker, microphone) = ([5, 4, 2.8], [1.2, 1.5, 0.9], [1.9, 1.9, 1.1])
    let order = -5...5
    return order.flatMap { x in order.flatMap { y in order.map { z in [x, y, z] } } }.compactMap { image in
      let reflections = image.reduce(0) { $0 + abs($1) }
      guard reflections <= 5 else { return nil }
      let squares = (0..<3).map { axis in
        let inside = image[axis].isMultiple(of: 2) ? loudspeaker[axis] : size[axis] - loudspeaker[axis]
        return pow(Double(image[axis]) * size[axis] + inside - microphone[axis], 2)
      }
      let distance = squares.reduce(0, +).squareRoot()
      return (Int(distance / 343 * 48000), Float(pow(0.75, Double(reflections)) / distance))
    }
  }()
}
