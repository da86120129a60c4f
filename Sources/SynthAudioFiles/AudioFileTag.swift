import CSynthSndfile

/// What a file can say about its audio, as a text; each container has room for its `AudioFileContainer.tags`.
public enum AudioFileTag: String, Sendable, CaseIterable {
  /// What it is and who made it, as players show it; `date` is a year or more, `track` a number on the album.
  case title, artist, album, date, genre, track
  /// What else is said of it: who has the rights, a remark, the program that wrote the file.
  case copyright, comment, software

  /// In Ogg and FLAC files.
  var sndfileString: Int32 {
    let string =
      switch self {
      case .title: SF_STR_TITLE
      case .artist: SF_STR_ARTIST
      case .album: SF_STR_ALBUM
      case .date: SF_STR_DATE
      case .genre: SF_STR_GENRE
      case .track: SF_STR_TRACKNUMBER
      case .copyright: SF_STR_COPYRIGHT
      case .comment: SF_STR_COMMENT
      case .software: SF_STR_SOFTWARE
      }
    return Int32(string)
  }

  /// Of a WAV file's INFO list.
  fileprivate var riffName: String {
    switch self {
    case .title: "INAM"
    case .artist: "IART"
    case .album: "IPRD"
    case .date: "ICRD"
    case .genre: "IGNR"
    case .track: "ITRK"
    case .copyright: "ICOP"
    case .comment: "ICMT"
    case .software: "ISFT"
    }
  }

  /// Of an MP3 file's frame.
  fileprivate var id3Name: String {
    switch self {
    case .title: "TIT2"
    case .artist: "TPE1"
    case .album: "TALB"
    case .date: "TDRC"
    case .genre: "TCON"
    case .track: "TRCK"
    case .copyright: "TCOP"
    case .comment: "COMM"
    case .software: "TSSE"
    }
  }
}

extension AudioFileContainer {
  /// What its files can say. Raw files say nothing.
  public var tags: [AudioFileTag] {
    switch self {
    case .raw: []
    case .aiff: [.title, .artist, .copyright, .comment, .software]
    case .wav, .flac, .vorbis, .opus, .mp3, .caf: AudioFileTag.allCases
    }
  }
}

extension [AudioFileTag: String] {
  /// In one order for all files.
  var inOrder: [(tag: AudioFileTag, text: String)] {
    AudioFileTag.allCases.compactMap { tag in self[tag].map { (tag, String($0.prefix { $0 != "\0" })) } }
  }

  /// The `LIST` chunk of a WAV file, in UTF-8; nothing without tags.
  var riffList: [UInt8] {
    let entries = inOrder.flatMap { tag, text in
      let bytes = Array(text.utf8) + [0]
      return Array(tag.riffName.utf8) + size(bytes.count, shift: 8, reversed: false) + bytes
        + [UInt8](repeating: 0, count: bytes.count % 2)
    }
    if entries.isEmpty { return [] }
    return Array("LIST".utf8) + size(4 + entries.count, shift: 8, reversed: false) + Array("INFO".utf8) + entries
  }

  /// What an MP3 file begins with, by ID3v2.4 in UTF-8; nothing without tags. libsndfile's own tags have Latin letters
  /// only.
  var id3: [UInt8] {
    let frames = inOrder.flatMap { tag, text in
      let isUTF8: [UInt8] = [3]
      let body = isUTF8 + (tag == .comment ? Array("und\0".utf8) : []) + Array(text.utf8)
      return Array(tag.id3Name.utf8) + size(body.count, shift: 7, reversed: true) + [0, 0] + body
    }
    if frames.isEmpty { return [] }
    return Array("ID3".utf8) + [4, 0, 0] + size(frames.count, shift: 7, reversed: true) + frames
  }

  /// Four bytes of so many bits, the lowest first or last.
  private func size(_ count: Int, shift: Int, reversed: Bool) -> [UInt8] {
    let bytes = (0..<4).map { UInt8(count >> (shift * $0) & (1 << shift - 1)) }
    return reversed ? bytes.reversed() : bytes
  }
}
