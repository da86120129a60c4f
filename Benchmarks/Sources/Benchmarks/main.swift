// The benchmarks' command line: what each part of the graph costs, and what the whole graph adds to FluidSynth.

@preconcurrency import Glibc
import SynthMIDI
import SynthRealtime

let usage = """
  usage: Benchmarks costs                   what a quantum of each part costs
         Benchmarks costs --counted         the same, with what callgrind counted, on standard input
         Benchmarks once                    every part in turn, for callgrind
         Benchmarks edits                   from an edit to what is heard of it
         Benchmarks exchanges               from an exchange of instruments to its first quantum
         Benchmarks song FONT SONG.mid …    what the graph adds to bare FluidSynth
         Benchmarks bare FONT SONG.mid      renders a song by bare FluidSynth, for Benchmarks/engines
         Benchmarks fonts FONT …            what reading SoundFonts costs
         Benchmarks voices COUNT            what a voice costs
         Benchmarks sampling                what a sampled voice costs, beside FluidSynth's
         Benchmarks reverb | chorus         the effects beside FluidSynth's
         Benchmarks equalize IN OUT [GAIN…] a stereo file through ten bands, or none, into another
         Benchmarks equalize-noise SECONDS GAIN…  seconds that the filters alone take
  """

setvbuf(stdout, nil, _IOLBF, 0)
flushingDenormals(run)  // as the audio thread does

func run() {
  let arguments = Array(CommandLine.arguments.dropFirst())
  do {
    switch (arguments.first, arguments.count) {
    case ("costs", 1): try CostTable(Case.all()).measure()
    case ("costs", 2) where arguments[1] == "--counted":
      let counts = AnyIterator { readLine() }.compactMap { Int($0) }
      try CostTable(Case.all(), instructions: counts).measure()
    case ("once", 1): try CostTable(Case.all()).runOnce()
    case ("edits", 1): try EditTable.measure()
    case ("exchanges", 1): try ExchangeTable.measure()
    case ("song", 3...): try SongTable(font: arguments[1], songs: Array(arguments[2...])).measure()
    case ("bare", 3):
      let timeline = Timeline(Song(try MIDIFile(path: arguments[2])), sampleRate: Work.sampleRate)
      let song = try BareSong(font: arguments[1], timeline: timeline, pairCount: 1)
      song.render(Int(timeline.duration) / renderQuantum)
    case ("fonts", 2...): try FontTable.measure(Array(arguments[1...]))
    case ("voices", 2): try VoiceTable.measure(voiceCount: Int(arguments[1]) ?? 8)
    case ("sampling", 1): try SamplingTable.measure()
    case ("reverb", 1): try ReverbTable.measure()
    case ("chorus", 1): try ChorusTable.measure()
    case ("equalize", 3), ("equalize", 13):
      try FileEqualizer(source: arguments[1], destination: arguments[2], gains: arguments[3...].compactMap(Double.init))
        .run()
    case ("equalize-noise", 12):
      let seconds = try FileEqualizer.seconds(
        gains: arguments[2...].compactMap(Double.init), frameCount: (Int(arguments[1]) ?? 0) * Int(Work.sampleRate),
        sampleRate: Work.sampleRate)
      print(fixed(seconds, 3))
    default:
      print(usage)
      exit(2)
    }
  } catch {
    print("\(error)")
    exit(1)
  }
}
