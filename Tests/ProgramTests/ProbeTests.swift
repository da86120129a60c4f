import Testing
import Foundation
@Test func probe() throws { print(Program.executable.path, CommandLine.arguments); let r = try Program.run("--version"); #expect(r.text == "synth 0.1.0\n") }
