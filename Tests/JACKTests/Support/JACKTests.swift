import Testing

/// All that needs a server, one after the other: each test has the one server of this checkout for itself.
@Suite("JACK", .serialized, .timeLimit(.minutes(2)))
enum JACKTests {}
