import Commands
import Dispatch

// Not an asynchronous `main`: it opens descriptors before its first line, and one of them may get the number of a standard
// stream that is closed.
ImgScriptCommand.fillStandardStreams()
ImgScriptCommand.requireProc()
Task { await ImgScriptCommand.run() }
dispatchMain()
