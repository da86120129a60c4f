/// One line of the table: what is measured is the work with the thing less the work without it.
struct Case {
  let name: String
  let with: Work
  let without: Work

  init(_ name: String, _ with: Work, without: Work = .nothing) {
    self.name = name
    self.with = with
    self.without = without
  }

  static func all() throws -> [Case] {
    try plan() + callbacks() + generator() + mixer() + spatialMixer() + equalizer() + converter() + effects() + output()
      + sampler() + voices() + chain()
  }
}
