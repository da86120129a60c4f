import Glibc
import SynthKit
import SynthRealtime

// A closed pipe and a file that gets too large are errors like any other, told in one line.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
_ = StandardInput.isOpen
KeyMode.handleCrashes()
Interruption.install()
RealtimeKit.enable()

let words = CommandLineWords.all()
do {
  try Request(words).run()
  try StandardOutput.finish()
} catch UsageError.configuration(let error) {
  Terminal.error("\(error)")
  exit(2)
} catch let error as UsageError {
  Terminal.error("\(error) — see \(HelpPage.call(for: error, words))")
  exit(2)
} catch is ToldAlready {
  exit(1)
} catch is Interrupted {
  exit(Interruption.exitStatus)
} catch {
  Terminal.error(errorLine(error))
  exit(1)
}
