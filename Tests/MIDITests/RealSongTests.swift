import SynthMIDI
import Testing

/// The songs of the Debian package openttd-openmsx, as measured with mido 1.3.3, a MIDI library in Python: their
/// durations in seconds, numbers of messages and notes, most keys held at once, and different tempos in a row.
private let songs: [(name: String, seconds: Double, messages: Int, notes: Int, held: Int, tempos: Int)] = [
  ("5432gone_redfarn.mid", 60.001953, 2584, 1274, 11, 1),
  ("be_sharp_bw_redfarn.mid", 139.359405, 7432, 3701, 15, 17),
  ("boogi_marabi_redfarn.mid", 100.001312, 6414, 3192, 17, 1),
  ("busy_schedule.mid", 131.646398, 6701, 3137, 11, 1),
  ("careless_perc_redfarn.mid", 157.503662, 3564, 1772, 15, 1),
  ("chemistry_lab.mid", 129.327556, 3305, 1310, 8, 1),
  ("chuggachugga.mid", 83.868104, 3162, 1552, 10, 4),
  ("city_blues_redfarn.mid", 76.001953, 3718, 1844, 15, 1),
  ("coconut_run2.mid", 67.999932, 1853, 843, 7, 1),
  ("flying_scotsman.mid", 89.921875, 4730, 2355, 9, 1),
  ("harp_harmony.mid", 132.922944, 4501, 2025, 7, 1),
  ("keep_on_rolling.mid", 196.153820, 13483, 6094, 33, 1),
  ("linns_basket.mid", 240.125000, 9809, 3999, 10, 1),
  ("midnight_snow_run.mid", 139.140004, 4977, 2004, 7, 61),
  ("mighty_giant_run.mid", 114.000000, 4704, 2296, 14, 1),
  ("modern_motion.mid", 154.005208, 7314, 3432, 14, 1),
  ("moo_redfarn.mid", 146.001953, 5266, 2621, 10, 1),
  ("mosey_along_redfarn.mid", 75.430170, 4924, 2447, 16, 1),
  ("no_work_song_redfarn.mid", 130.761943, 7466, 3566, 16, 1),
  ("relax_song.mid", 192.000000, 9443, 3462, 10, 1),
  ("run_for_your_life.mid", 245.646936, 9389, 4667, 8, 1),
  ("say_what_redfarn.mid", 87.274279, 4560, 2261, 13, 1),
  ("slow_neasy_redfarn.mid", 74.668328, 3610, 1787, 15, 1),
  ("the_fast_route.mid", 164.404297, 7365, 3671, 12, 1),
  ("the_hobo_redfarn.mid", 137.144580, 5832, 2901, 16, 1),
  ("train_filled_with_cash.mid", 69.888819, 1900, 941, 6, 1),
  ("ttsong_iii_imuh3.mid", 64.994792, 3806, 1897, 9, 1),
  ("ttsong_iv_imuh3.mid", 114.367188, 4972, 2477, 12, 1),
  ("tttheme2.mid", 103.256941, 11340, 4056, 25, 1),
  ("ultimate_run.mid", 73.600000, 2317, 1120, 7, 1),
  ("wood_whistles.mid", 122.000000, 3397, 1660, 11, 1),
]

@Suite("Real songs")
struct RealSongTests {
  static let names = songs.map(\.name)

  @Test("a song reads without warnings, and what is in it is what another program says", arguments: songs)
  func facts(name: String, seconds: Double, messages: Int, notes: Int, held: Int, tempos: Int) throws {
    let path = "/usr/share/games/openttd/baseset/openmsx/\(name)"
    let file = try #require(
      try? MIDIFile(path: path), "cannot read \(path); `make deps` installs the package openttd-openmsx")
    #expect(file.warnings.isEmpty)
    let info = SongInfo(file)
    let song = info.song
    #expect(song.events.count == messages)
    #expect(info.noteCount == notes && info.polyphony == held && info.tempos.count == tempos)
    // mido's durations are recorded to the microsecond.
    #expect(abs(song.duration - seconds) < 1e-6)
  }
}
