@preconcurrency import Glibc

/// A room of 5 by 4 by 2.8 m with a loudspeaker and a microphone 0.8 m apart, as mirror images of the loudspeaker
/// (Allen and Berkley, "Image Method for Efficiently Simulating Small-Room Acoustics", JASA 65:4, 1979).
public struct EchoRoom {
  private let delay: Int
  private let gain: Float
  private var played: [Float] = []

  /// - Parameters:
  ///   - delay: of the devices, in frames.
  ///   - gain: of the direct sound.
  public init(delay: Int = 960, gain: Float = 1) {
    self.delay = delay
    self.gain = gain
  }

  /// What the microphone hears of what the loudspeaker plays at 48 kHz, at a level in decibels (RMS) of full scale.
  public static func echo(of played: [Float], level: Double) -> [Float] {
    var room = EchoRoom()
    let heard = room.hear(played)
    let gain = Float(pow(10, level / 20) / Speech.rms(heard[...]))
    return heard.map { $0 * gain }
  }

  /// What the microphone hears while the loudspeaker plays what comes next, at 48 kHz.
  public mutating func hear(_ next: [Float]) -> [Float] {
    let begin = played.count
    played += next
    var heard = [Float](repeating: 0, count: next.count)
    heard.withUnsafeMutableBufferPointer { heard in
      played.withUnsafeBufferPointer { played in
        for image in Self.images {
          let (late, gain) = (delay + image.delay, image.gain * gain)
          let start = min(max(begin, late), played.count)
          for frame in start..<played.count {
            heard[frame - begin] += gain * played[frame - late]
          }
        }
      }
    }
    return heard
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
