import CSynthRealtime
import Synchronization

/// The frames of a sound in pages, which come and go while it is read; what is not there is silence.
///
/// The memory is the owner's, who frees a page only once no reader can be within it.
public struct FramePages: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointers, see above.

  /// Frames of a page, whose channels lie one after the other.
  public static var pageLength: Int {
    @_noLocks get { 4096 }
  }

  /// An address each; 0 for a page that is not there.
  public typealias Table = UnsafeMutablePointer<Atomic<UInt>>

  private let table: Table
  private let pageCount: Int
  /// Of the page numbers: all ones where frames are numbered from the table's first page on.
  private let mask: Int64
  /// Of every page.
  public let channelCount: Int

  /// - Parameters:
  ///   - isRing: whether the table repeats for ever, as that of a live stream does; `pageCount` is then a power of two.
  public init(_ table: Table, pageCount: Int, channelCount: Int, isRing: Bool = false) {
    self.table = table
    self.pageCount = pageCount
    self.channelCount = channelCount
    mask = isRing ? Int64(pageCount) - 1 : -1
  }

  /// Copies frames of a channel from any place on: how many of them are silent because their page is not there. What is
  /// before the first page or behind the last is silent too, and not counted. [audio thread]
  @_noLocks
  @discardableResult
  public func copy(
    _ channel: Int, from start: Int64, count: Int, to target: UnsafeMutablePointer<Float>
  ) -> Int {
    var (done, missing) = (0, 0)
    while done < count {
      let frame = start &+ Int64(done)
      let page = (frame &>> 12) & mask  // rounds down, also before the first page
      let offset = Int(frame & 4095)
      let length = min(count &- done, Self.pageLength &- offset)
      let isInside = page >= 0 && page < Int64(pageCount)
      let address = isInside ? table[Int(page)].load(ordering: .acquiring) : 0
      if let samples = UnsafePointer<Float>(bitPattern: address) {
        realtime_copy(target + done, samples + channel &* Self.pageLength + offset, length)
      } else {
        (target + done).update(repeating: 0, count: length)
        if isInside { missing &+= length }
      }
      done &+= length
    }
    return missing
  }
}
