import Foundation
import ProviderRuntime

// `worker-benchmark [WORKER] [PROVIDER.js] [ROUNDS]`, from the package's folder.
let arguments = CommandLine.arguments
let folder = URL(fileURLWithPath: arguments[0]).deletingLastPathComponent().path
let file = arguments.count > 2 ? arguments[2] : "providers/pixabay.js"
let benchmark = WorkerBenchmark(
    settings: WorkerSettings(executable: arguments.count > 1 ? arguments[1] : folder + "/imgscript-worker"),
    source: ScriptSource(file: "pixabay.js", text: try String(contentsOfFile: file, encoding: .utf8)),
    rounds: arguments.count > 3 ? Int(arguments[3]) ?? 200 : 200)
try await benchmark.run()
