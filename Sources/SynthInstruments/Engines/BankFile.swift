import CSynthMapping
import Glibc
import SynthMIDI
import SynthSoundFonts

/// A soundfont in memory, which has a path while this object lives: the bank of a song, or what samples make.
public final class BankFile: Sendable {
  /// In `/proc/self/fd`, so that this process alone can open it.
  public let path: String
  private let descriptor: Int32

  /// - Throws: `InstrumentError.songBank` for a bank without instruments.
  public convenience init(_ bank: MIDIFile.Container.Bank) throws(InstrumentError) {
    guard let bytes = bank.soundFont else { throw .songBank(reason: "\(bank.kind.rawValue) without instruments") }
    try self.init(bytes)
  }

  package convenience init(_ samples: SampleFont) throws(InstrumentError) { try self.init(samples.bytes) }

  private init(_ bytes: [UInt8]) throws(InstrumentError) {
    descriptor = mapping_memory_file()
    guard descriptor >= 0 else { throw .songBank(reason: String(cString: strerror(errno)).lowercased()) }
    path = "/proc/self/fd/\(descriptor)"
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw .outOfMemory }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  deinit { close(descriptor) }
}

extension MIDIFile.Container.Bank {
  /// Finds out whether it can be played, by loading all of it for a moment. [control thread]
  ///
  /// - Throws: what is wrong with it.
  public func check() throws(InstrumentError) {
    var configuration = SamplerConfiguration(soundFonts: [])
    configuration.bank = self
    try NativeFonts(configuration).load(nil, .nothing)
  }
}
