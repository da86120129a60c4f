import CSynthLoading
import Glibc
import Testing

@Suite("Libraries that are loaded when they are first used")
struct LibraryLoadingTests {
  /// What is wrong with a library of one function, which is called `function`.
  private func problem(_ file: String, _ function: String) -> String? {
    file.withCString { file in
      function.withCString { function in
        "example".withCString { package in
          var place: UnsafeMutableRawPointer?
          return withUnsafeMutablePointer(to: &place) { place in
            var entry = loaded_function(name: function, place: place)
            return withUnsafePointer(to: &entry) { entry in
              var library = loaded_library(file: file, package: package, functions: entry, count: 1, handle: nil)
              defer { if let handle = library.handle { dlclose(handle) } }
              let problem = library_load(&library).map { String(cString: $0) }
              #expect((place.pointee != nil) == (problem == nil) && (library.handle != nil) == (problem == nil))
              return problem
            }
          }
        }
      }
    }
  }

  @Test("one that is there gives its functions")
  func present() { #expect(problem("libm.so.6", "cos") == nil) }

  @Test("one that is missing is told of with the package that has it")
  func missing() {
    #expect(
      problem("libexample.so.9", "cos")
        == "libexample.so.9: cannot open shared object file: No such file or directory; install the package example")
  }

  @Test("so is one that is too old")
  func old() {
    #expect(
      problem("libm.so.6", "not_yet_there")
        == "libm.so.6 has no not_yet_there; install a later version of the package example")
  }
}
