import CSynthMySofa
@preconcurrency import Glibc
import SynthFiles
import SynthRealtime

/// A measured set of head-related transfer functions: what a head does to sound from each direction, on its way to each
/// ear. Read from a SOFA file (AES69) by libmysofa.
public final class HRTFSet: @unchecked Sendable {
  /// A dummy head measured in 710 directions (Gardner and Martin, MIT, 1994), which comes with libmysofa.
  public static let standardPath = "/usr/share/libmysofa/default.sofa"

  /// The file that it was read from.
  public let path: String
  /// Of the measured responses, in hertz.
  public let sampleRate: Double
  /// Its responses and delays are replaced for each table, under the lock of `tables`.
  private let hrtf: UnsafeMutablePointer<MYSOFA_HRTF>
  private let lookup: OpaqueLookup
  private let neighborhood: UnsafeMutablePointer<MYSOFA_NEIGHBORHOOD>
  private let responses: AlignedResponses
  private let tables = CheckedMutex<[Double: HRTFTable]>([:])

  private typealias OpaqueLookup = UnsafeMutablePointer<MYSOFA_LOOKUP>

  /// The standard set, which is read once. [control thread]
  public static func standard() throws(HRTFError) -> HRTFSet {
    try present.withLock { present throws(HRTFError) in
      if let present { return present }
      let set = try HRTFSet(path: standardPath)
      present = set
      return set
    }
  }

  private static let present = CheckedMutex<HRTFSet?>(nil)

  /// Reads a file of at most 256 MiB. The corresponding C function is `mysofa_load_data`. [control thread]
  public init(path: String) throws(HRTFError) {
    if let problem = mysofa_load_library() {
      throw HRTFError(path: path, reason: .noLibrary(LibraryError("reading responses", problem: problem)))
    }
    var code: Int32 = 0
    let bytes = try Self.bytes(path)
    let read = bytes.withUnsafeBytes { mysofa_load_data($0.baseAddress, $0.count, &code) }
    guard let hrtf = read else { throw HRTFError(path: path, reason: .failed(code)) }
    code = mysofa_check(hrtf)
    let loaded = hrtf.pointee
    guard code == MYSOFA_OK, loaded.R == 2, loaded.M > 0, loaded.N > 0,
      let rate = loaded.DataSamplingRate.values?.pointee, rate >= 8000
    else {
      mysofa_free(hrtf)
      throw HRTFError(path: path, reason: code == MYSOFA_OK ? .unfit : .failed(code))
    }
    // Front responses have energy 1 on both sides together, so that sets are about as loud as each other.
    _ = mysofa_loudness(hrtf)
    mysofa_tocartesian(hrtf)
    guard let lookup = mysofa_lookup_init(hrtf) else {
      mysofa_free(hrtf)
      throw HRTFError(path: path, reason: .unfit)
    }
    guard let neighborhood = mysofa_neighborhood_init(hrtf, lookup) else {
      mysofa_lookup_free(lookup)
      mysofa_free(hrtf)
      throw HRTFError(path: path, reason: .unfit)
    }
    self.path = path
    self.hrtf = hrtf
    self.lookup = lookup
    self.neighborhood = neighborhood
    sampleRate = Double(rate)
    responses = AlignedResponses(hrtf.pointee, sampleRate: sampleRate)
  }

  private static func bytes(_ path: String) throws(HRTFError) -> [UInt8] {
    do throws(FileProblem) {
      return try OutsideFile(path: path).bytes(limit: 1 << 28)
    } catch {
      if case .system(let code) = error { throw HRTFError(path: path, reason: .failed(code)) }
      throw HRTFError(path: path, reason: .unopened(error.reason))
    }
  }

  deinit {
    mysofa_neighborhood_free(neighborhood)
    mysofa_lookup_free(lookup)
    mysofa_free(hrtf)
  }

  /// The set as a plain table at a rate in hertz. Made once for each rate. [control thread]
  public func table(sampleRate: Double) -> HRTFTable {
    tables.withLock { tables in
      if let table = tables[sampleRate] { return table }
      let table = makeTable(sampleRate: sampleRate)
      tables[sampleRate] = table
      return table
    }
  }

  private func makeTable(sampleRate: Double) -> HRTFTable {
    let tapCount = responses.tapCount(sampleRate: sampleRate)
    responses.replace(&hrtf.pointee, tapCount: tapCount, sampleRate: sampleRate)
    let table = HRTFTable(tapCount: tapCount)
    let radius = (lookup.pointee.radius_min + lookup.pointee.radius_max) / 2
    let response = UnsafeMutablePointer<Float>.allocate(capacity: 2 * tapCount)
    defer { response.deallocate() }
    var delays: [Float] = [0, 0]
    for cell in table.grid.cells {
      let place = table.grid.place(of: cell).vector * radius
      // SOFA has x to the front, y to the left and z up.
      var coordinate = [-place.z, -place.x, place.y]
      let nearest = mysofa_lookup(lookup, &coordinate)
      guard nearest >= 0,
        let taps = mysofa_interpolate(
          hrtf, &coordinate, nearest, mysofa_neighborhood(neighborhood, nearest), response, &delays)
      else { continue }
      table.set(cell, taps: taps, delays: (delays[0] * Float(sampleRate), delays[1] * Float(sampleRate)))
    }
    return table
  }
}

/// A set of head-related transfer functions that could not be read.
public struct HRTFError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file that could not be read.
  public let path: String
  let reason: Reason

  enum Reason: Equatable {
    /// libmysofa is not installed.
    case noLibrary(LibraryError)
    /// An `errno` value or one of libmysofa's.
    case failed(Int32)
    /// Not a regular file, or too large, in words.
    case unopened(String)
    /// Readable, but not what is needed.
    case unfit
  }

  public var description: String {
    let remedy = "install the package libmysofa1, which has a set, or give the path of another .sofa file"
    return switch reason {
    case .noLibrary(let error): "loading HRTF set \"\(path)\": \(error.problem)"
    case .failed(let code): "loading HRTF set \"\(path)\": \(Self.text(code)); \(remedy)"
    case .unopened(let reason): "loading HRTF set \"\(path)\": \(reason); \(remedy)"
    case .unfit: "loading HRTF set \"\(path)\": it has no responses of two ears; \(remedy)"
    }
  }

  private static func text(_ code: Int32) -> String {
    if (1..<Int32(MYSOFA_INVALID_FORMAT)).contains(code) { return String(cString: strerror(code)).lowercased() }
    return "it is no file of head-related transfer functions (SimpleFreeFieldHRIR, AES69)"
  }
}
