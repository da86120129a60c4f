/// A library of the system that could not be loaded when it was first needed.
public struct LibraryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What it was needed for.
  let purpose: String
  /// What is wrong, and the Debian package to install.
  let problem: String

  /// - Parameter problem: what `library_load` gave.
  init(_ purpose: String, problem: UnsafePointer<CChar>) {
    self.purpose = purpose
    self.problem = String(cString: problem)
  }

  public var description: String { "\(purpose): \(problem)" }
}
