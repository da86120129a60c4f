import Glibc
import Realtime
import SynthKit

// A closed pipe and a file that gets too large are errors like any other, told in one line.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
_ = StandardInput.isOpen
Interruption.install()
RealtimeKit.enable()

do {
  try Command(CommandLineWords.all()).run()
  try StandardOutput.finish()
} catch let error as UsageError {
  Terminal.error("\(error) — see synth --help")
  exit(2)
} catch is ToldAlready {
  exit(1)
} catch is Interrupted {
  exit(Interruption.exitStatus)
} catch {
  Terminal.error(errorLine(error))
  exit(1)
}
