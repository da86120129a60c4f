extension OptionGroup {
  static let info = OptionGroup(
    title: "Options",
    options: [
      OptionHelp(.json, "JSON in place of text, with every track"),
      OptionHelp(.lyrics, "all words of songs, not the first lines alone"),
      OptionHelp(.route, "CH=CH|track:N=CH", "tell what plays where with a channel or a track on another channel"),
      OptionHelp(.soundFont, "FILE", "the soundfont whose presets the songs are to find; again for more"),
    ])

  static let programs = OptionGroup(
    title: "Form",
    options: [
      OptionHelp(.json, "JSON in place of text"),
      OptionHelp(.dot, "a graph for Graphviz"),
      OptionHelp(.watch, "tell what comes and goes, until Ctrl-C"),
    ])
}
