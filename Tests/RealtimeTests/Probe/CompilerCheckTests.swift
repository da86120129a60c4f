import FoundationEssentials
import Glibc
import Testing

/// `@_noLocks` is an underscored attribute: these tests notice a compiler that no longer enforces it.
@Suite("In @_noLocks code the compiler")
struct CompilerCheckTests {
  @Test("accepts arithmetic on raw memory")
  func arithmetic() throws {
    #expect(try diagnostics(of: "samples[0] = samples[1] * 0.5") == "")
  }

  @Test(
    "refuses what may allocate, lock, or be anything at all",
    arguments: [
      ("_ = [samples[0]]", "can cause metadata allocation or locks"),
      ("samples[0] = Node().value", "can cause metadata allocation or locks"),
      ("lock.withLock { _ in }", "global/static variable initialization can cause locking"),
      ("free(malloc(64))", "called function is not available in this module"),
      ("_ = samples[0].description", "called function is not available in this module"),
      ("logSomething()", "can cause metadata allocation or locks"),
    ])
  func violation(statement: String, complaint: String) throws {
    #expect(try diagnostics(of: statement).contains(complaint))
  }

  /// What the compiler says of a function with that statement in it, as far as the pass that checks.
  private func diagnostics(of statement: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    let source = """
      import Glibc
      import Synchronization
      final class Node { let value: Float = 0 }
      let lock = Mutex(0)
      func logSomething() { print("something") }
      @_noLocks func render(_ samples: UnsafeMutablePointer<Float>) { \(statement) }
      """
    try source.write(to: file, atomically: false, encoding: .utf8)
    let compiler = try #require(popen("swiftc -parse-as-library -emit-sil -o /dev/null '\(file.path)' 2>&1", "r"))
    defer { pclose(compiler) }
    var output: [UInt8] = []
    while case let byte = getc(compiler), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: output, as: UTF8.self)
  }
}
