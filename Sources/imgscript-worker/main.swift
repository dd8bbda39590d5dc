import ScriptEngine

// The host passes the memory limit in megabytes; everything else comes through the pipe.
let megabytes = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) : nil
Worker.run(memory: (megabytes ?? 256) << 20)
