import AudioGraph
import SynthAudioFiles
import Testing

@Test("A cache gives its blocks back as they were, as often as is asked, until one is too many; it has no name")
func sampleCache() throws {
  let scratch = Scratch()
  let cache = try SampleCache(for: scratch.file("a.wav"), isBeside: true, channelCount: 2)
  let buffer = SampleBuffer(channelCount: 2, frameCapacity: 1000)
  for (number, count) in [1000, 0, 1, 999].enumerated() {
    for channel in 0..<2 {
      for frame in 0..<count { buffer.channels[channel][frame] = Float(number * 10000 + channel * 1000 + frame) }
    }
    try cache.write(buffer.channels, frameCount: count)
  }
  #expect(scratch.names == [])
  for wanted in [3, 2] {
    var counts: [Int] = []
    var isSame = true
    try cache.forEachBlock(in: buffer.channels) { count in
      let number = [0, 2, 3][counts.count]
      for channel in 0..<2 {
        for (frame, sample) in buffer.channel(channel, frameCount: count).enumerated() {
          isSame = isSame && sample == Float(number * 10000 + channel * 1000 + frame)
        }
      }
      counts.append(count)
      return counts.count < wanted
    }
    #expect(isSame && counts == Array([1000, 1, 999].prefix(wanted)))
  }
}

@Test("A cache that cannot be created says for which file")
func sampleCacheRefused() {
  let error = #expect(throws: AudioFileError.self) {
    try SampleCache(for: "/none/a.wav", isBeside: true, channelCount: 1)
  }
  #expect(
    error?.description
      == "creating the cache for /none/a.wav: no such file or directory — create its directory first")
}
