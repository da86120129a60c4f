import Testing

/// All that needs a server, one after the other: which server is meant, the environment says.
@Suite("JACK", .serialized, .timeLimit(.minutes(2)))
enum JACKTests {}
