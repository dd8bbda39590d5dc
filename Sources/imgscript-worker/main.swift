import ScriptEngine

// The host passes the memory limit in megabytes; everything else comes through the socket.
if CommandLine.arguments.dropFirst() == ["--version"] {
    print(Worker.libraryVersions.joined(separator: " "))
} else {
    let megabytes = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 256
    Worker.run(memory: megabytes << 20)
}
