// Finds nodes without their classes: lists the effects, makes one by its name and one by its four-character codes, and
// is told when somebody turns their parameters.

import Glibc
import SynthKit

let registry = try ComponentRegistry.standard()
let effects = registry.components(matching: try ComponentDescription(parsing: "aufx/*/*"))
for effect in effects { print("\(effect.description)  \(effect.name): \(effect.summary)") }
print("\(effects.count) effects of \(registry.components.count) kinds")

let echo = try registry.component(named: "echo").make()
let mixer = try registry.component(matching: try ComponentDescription(parsing: "aumx/mcmx/*")).make()
print(
  "\(echo.name) has \(echo.parameters.map(\.name).joined(separator: ", ")); \(mixer.name) has \(mixer.inputBusCount)")
do {
  _ = try registry.component(named: "ecko")
} catch {
  print("refused: \(error)")
}

/// What observers have been told, on their own thread.
final class News: Sendable {
  private let lines = CheckedMutex<[String]>([])
  func tell(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0.sorted() } }
}

let news = News()
let observations = echo.parameters.map { parameter in
  parameter.observe { value in news.tell("\(parameter.name) \(parameter.unit.text(value))") }
}
for (name, value) in [("time", Float(0.25)), ("feedback", 30), ("mix", 200)] {
  try echo.parameter(named: name).value = value
}
// They look every 10 ms.
for _ in 0..<500 where news.all.count < 3 { usleep(10_000) }
print("told: \(news.all.joined(separator: ", "))")
for observation in observations { observation.cancel() }
