extension MIDIFile.Container {
  /// A bank of instruments that a song is to be played with.
  public struct Bank: Hashable, Sendable {
    /// What the bank is.
    public enum Kind: String, Sendable {
      /// `RIFF` of type `sfbk`.
      case soundFont = "SoundFont"
      /// `RIFF` of type `DLS `, level 1 or 2.
      case downloadableSounds = "DLS"
    }

    /// What the bytes are.
    public let kind: Kind
    /// The bank as a file of its kind; cut off where the song's file is.
    public let bytes: [UInt8]
    /// What is added to the numbers of its own banks, 0 to 127, drums excepted: 1, where the file does not say.
    public internal(set) var offset = 1

    init(kind: Kind, bytes: ArraySlice<UInt8>) {
      self.kind = kind
      self.bytes = Array(bytes)
    }

    /// The size in bytes, the chunk's header left out.
    public var byteCount: Int { bytes.count - 8 }

    /// What it is called, by its own INFO list.
    public var name: String? {
      let name = chunks("INAM", inList: "INFO").first.map(RIFFReader(bytes).text)
      return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The bank as a SoundFont whose presets are in the banks where the song looks for them; nil for Downloadable
    /// Sounds without an instrument.
    ///
    /// Drums stay in bank 128; what would come beyond bank 127 is in bank 0 ("SF2 RMIDI Specification" 1.19).
    public var soundFont: [UInt8]? {
      guard kind == .soundFont else { return DownloadableSounds(bytes).soundFont(bankOffset: offset) }
      var font = bytes
      for chunk in chunks("phdr", inList: "pdta") {
        // Records of 38 bytes: a name of 20, program, bank.
        for record in stride(from: chunk.data.lowerBound, through: chunk.data.upperBound - 38, by: 38) {
          let bank = Int(font[record + 22]) | Int(font[record + 23]) << 8
          guard bank < 128 else { continue }
          font[record + 22] = bank + offset > 127 ? 0 : UInt8(bank + offset)
        }
      }
      return font
    }

    private func chunks(_ tag: String, inList list: String) -> [RIFFChunks.Chunk] {
      let file = RIFFReader(bytes)
      return file.lists(list, among: file.all).joined().filter { file.hasTag(tag, $0) }
    }
  }
}
