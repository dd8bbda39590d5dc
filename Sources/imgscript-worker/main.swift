import CArguments
import ScriptEngine

// The host passes the memory limit in megabytes; everything else comes through the pipe. Without a closure: one here
// belongs to the main actor, and brings the runtime of tasks with it.
var megabytes: Int?
if let argument = program_argument(1) { megabytes = Int(String(cString: argument)) }
Worker.run(memory: (megabytes ?? 256) << 20)
