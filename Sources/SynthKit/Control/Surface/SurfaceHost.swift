/// What a program adds to a control surface: its own commands, and what it knows of songs and keyboards. Everything is
/// called by the thread that owns the surface.
public protocol SurfaceHost: AnyObject {
  /// Performs a command that is the program's, as "next" or "quit". [control thread]
  ///
  /// - Returns: the answer in lines; nil for a command that is the synthesizer's.
  func perform(_ line: String) throws -> String?

  /// An error in a line, with remedies that the program has. [control thread]
  func line(_ error: any Error) -> String

  /// Shows what controls of keyboards have learned, called, or failed to. [control thread]
  func tell(_ text: String, isError: Bool)

  /// Whether the loop has something to do before another command is performed, as going to the next song. [control
  /// thread]
  var hasWish: Bool { get }

  /// The list that is played; nil for none. [control thread]
  var songs: SurfaceSongs? { get }

  /// The names of the ports that play along. [control thread]
  var keyboards: [String] { get }
}

extension SurfaceHost {
  public func line(_ error: any Error) -> String { "\(error)" }
  public func tell(_ text: String, isError: Bool) {}
  public var hasWish: Bool { false }
  public var songs: SurfaceSongs? { nil }
  public var keyboards: [String] { [] }
}

/// A list of songs, as clients see it.
public struct SurfaceSongs: Sendable, Hashable {
  /// In the order in which they are played.
  public var names: [String]
  /// The place of the one that plays, from 0.
  public var current: Int
  /// What it is called; nil for the name that its file gives itself.
  public var title: String?
  /// Whether each round has another order.
  public var isShuffled: Bool
  /// Whether the first one follows the last.
  public var isRepeating: Bool

  public init(
    names: [String], current: Int, title: String? = nil, isShuffled: Bool = false, isRepeating: Bool = false
  ) {
    (self.names, self.current, self.title) = (names, current, title)
    (self.isShuffled, self.isRepeating) = (isShuffled, isRepeating)
  }
}
