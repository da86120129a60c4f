import Glibc
import SynthKit

// A closed pipe is an error like any other, told in one line.
signal(SIGPIPE, SIG_IGN)
Interruption.install()

do {
  try Command(Array(CommandLine.arguments.dropFirst())).run()
} catch let error as UsageError {
  Terminal.error("\(error) — see synth --help")
  exit(2)
} catch is Interrupted {
  exit(130)
} catch {
  Terminal.error("\(error)")
  exit(1)
}
