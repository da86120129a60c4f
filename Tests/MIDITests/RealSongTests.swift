import MIDI
import Testing

/// The songs of the Debian package openttd-openmsx, with their durations in seconds and their numbers of messages as
/// measured with mido 1.3.3, a MIDI library in Python.
private let songs: [(name: String, seconds: Double, messages: Int)] = [
  ("5432gone_redfarn.mid", 60.001953, 2584),
  ("be_sharp_bw_redfarn.mid", 139.359405, 7432),
  ("boogi_marabi_redfarn.mid", 100.001312, 6414),
  ("busy_schedule.mid", 131.646398, 6701),
  ("careless_perc_redfarn.mid", 157.503662, 3564),
  ("chemistry_lab.mid", 129.327556, 3305),
  ("chuggachugga.mid", 83.868104, 3162),
  ("city_blues_redfarn.mid", 76.001953, 3718),
  ("coconut_run2.mid", 67.999932, 1853),
  ("flying_scotsman.mid", 89.921875, 4730),
  ("harp_harmony.mid", 132.922944, 4501),
  ("keep_on_rolling.mid", 196.153820, 13483),
  ("linns_basket.mid", 240.125000, 9809),
  ("midnight_snow_run.mid", 139.140004, 4977),
  ("mighty_giant_run.mid", 114.000000, 4704),
  ("modern_motion.mid", 154.005208, 7314),
  ("moo_redfarn.mid", 146.001953, 5266),
  ("mosey_along_redfarn.mid", 75.430170, 4924),
  ("no_work_song_redfarn.mid", 130.761943, 7466),
  ("relax_song.mid", 192.000000, 9443),
  ("run_for_your_life.mid", 245.646936, 9389),
  ("say_what_redfarn.mid", 87.274279, 4560),
  ("slow_neasy_redfarn.mid", 74.668328, 3610),
  ("the_fast_route.mid", 164.404297, 7365),
  ("the_hobo_redfarn.mid", 137.144580, 5832),
  ("train_filled_with_cash.mid", 69.888819, 1900),
  ("ttsong_iii_imuh3.mid", 64.994792, 3806),
  ("ttsong_iv_imuh3.mid", 114.367188, 4972),
  ("tttheme2.mid", 103.256941, 11340),
  ("ultimate_run.mid", 73.600000, 2317),
  ("wood_whistles.mid", 122.000000, 3397),
]

@Suite("Real songs")
struct RealSongTests {
  @Test("a song reads without warnings and lasts as long as another program says", arguments: songs)
  func duration(name: String, seconds: Double, messages: Int) throws {
    let path = "/usr/share/games/openttd/baseset/openmsx/\(name)"
    let file = try #require(
      try? MIDIFile(path: path), "cannot read \(path); `make deps` installs the package openttd-openmsx")
    #expect(file.warnings.isEmpty)
    let song = Song(file)
    #expect(song.events.count == messages)
    // mido's durations are recorded to the microsecond.
    #expect(abs(song.duration - seconds) < 1e-6)
  }
}
