/// Which keys and velocities play which of an instrument's samples.
///
/// A sample plays the keys that are nearer to its own than to another's. Of several at one key, each plays the
/// velocities up to the one in its name, and the last of them all above too; numbers that run from 1 on in all the
/// names are layers of equal height. Samples of which none has a key are a kit: each has one key, from C2 on in the
/// order of their names, and plays to its end.
struct SampleMap: Equatable {
  struct Zone: Equatable {
    /// The sample's number.
    var sample: Int
    var key: UInt8
    var keys: ClosedRange<UInt8>
    var velocities: ClosedRange<UInt8> = 0...127
    /// Whether it plays to its end, however short the note is.
    var isOneShot = false
  }

  private(set) var zones: [Zone] = []
  /// Samples that are not played, and why.
  private(set) var leftOut: [(sample: Int, reason: String)] = []

  static let firstKitKey = 36

  init(_ samples: [(name: SampleName, markings: SampleMarkings)]) {
    let keys = samples.map { $0.name.key ?? $0.markings.key }
    if samples.count == 1 {
      zones = [Zone(sample: 0, key: keys[0] ?? 60, keys: 0...127)]
    } else if keys.allSatisfy({ $0 == nil }) {
      setKit(samples.count)
    } else {
      setKeys(samples, keys)
    }
  }

  private mutating func setKit(_ count: Int) {
    for sample in 0..<count {
      guard let key = UInt8(exactly: Self.firstKitKey + sample), key <= 127 else {
        leftOut.append((sample, "no key is left for it"))
        continue
      }
      zones.append(Zone(sample: sample, key: key, keys: key...key, isOneShot: true))
    }
  }

  private mutating func setKeys(_ samples: [(name: SampleName, markings: SampleMarkings)], _ keys: [UInt8?]) {
    var groups: [UInt8: [Int]] = [:]
    for (sample, key) in keys.enumerated() {
      if let key {
        groups[key, default: []].append(sample)
      } else {
        leftOut.append((sample, "neither its name nor the file says its key"))
      }
    }
    let layerCount = Self.layerCount(samples.compactMap(\.name.velocity))
    let centers = groups.keys.sorted()
    for (index, key) in centers.enumerated() {
      let lowest = index == 0 ? 0 : (centers[index - 1] + key) / 2 + 1
      let highest = index == centers.count - 1 ? 127 : (key + centers[index + 1]) / 2
      var layers: [UInt8: Int] = [:]
      for sample in groups[key] ?? [] {
        let velocity = samples[sample].name.velocity
        let top = velocity.map { layerCount > 0 ? UInt8(Int($0) * 127 / layerCount) : $0 } ?? 127
        if samples[sample].markings.velocities != nil || samples[sample].markings.keys != nil {
          zones.append(Zone(sample: sample, key: key, keys: lowest...highest))
        } else if layers.updateValue(layers[top] ?? sample, forKey: top) != nil {
          leftOut.append((sample, "another has the same key and velocity"))
        }
      }
      var bottom: UInt8 = 0
      for (top, sample) in layers.sorted(by: { $0.key < $1.key }) {
        let isLast = top == layers.keys.max()
        zones.append(
          Zone(sample: sample, key: key, keys: lowest...highest, velocities: bottom...(isLast ? 127 : top)))
        bottom = top + 1
      }
    }
    for index in zones.indices {
      let markings = samples[zones[index].sample].markings
      if let keys = markings.keys { zones[index].keys = keys }
      if let velocities = markings.velocities { zones[index].velocities = velocities }
    }
  }

  /// How many layers the velocities number; 0 where they are velocities.
  private static func layerCount(_ velocities: [UInt8]) -> Int {
    let numbers = Set(velocities)
    return numbers.count > 1 && numbers == Set(1...UInt8(numbers.count)) ? numbers.count : 0
  }

  static func == (a: SampleMap, b: SampleMap) -> Bool {
    a.zones == b.zones && a.leftOut.map(\.sample) == b.leftOut.map(\.sample)
  }
}
