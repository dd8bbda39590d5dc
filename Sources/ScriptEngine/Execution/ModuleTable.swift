import CJavaScriptCore
import ProviderModel

/// The files of a provider that have been read, and the way to its neighbours.
final class ModuleTable {
    /// Asks the host for a neighbour's source: its file, and the file that asks.
    var neighbour: (_ file: String, _ from: String) throws(NativeError) -> String = { file, _ throws(NativeError) in
        throw .message("\(file) is not to be had")
    }
    /// Takes a line a script wrote with `console`.
    var log: (_ level: String, _ text: String) -> Void = { _, _ in }
    private var sources: [(file: String, text: String)] = []

    /// On the file's first line, so that line numbers stay as they are.
    private static let prefix = "(function (exports, require, module) { 'use strict'; "

    /// Compiles a file as the body of a CommonJS function.
    func compile(
        _ source: String, file: String, in runtime: ScriptRuntime
    ) throws(ScriptRuntime.Interruption) -> JSObjectRef {
        sources.append((file, source))
        // Alone first: an error then has the file's own columns, and a stray brace cannot end the function early.
        try runtime.checkSyntax(source, file: file)
        return try runtime.object(runtime.evaluate(Self.prefix + source + "\n})", file: file))
    }

    /// The path of a neighbour within the pack: `./theme` beside `sites/a.js` is `sites/theme.js`.
    func resolve(_ name: String, from file: String) throws(NativeError) -> String {
        var segments = file.split(separator: "/").dropLast().map(String.init)
        for segment in name.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..":
                guard segments.popLast() != nil else {
                    throw .message("require: \(name.quoted) leads out of the provider's folder")
                }
            default: segments.append(String(segment))
            }
        }
        let path = segments.joined(separator: "/")
        return path.hasSuffix(".js") ? path : path + ".js"
    }

    /// Turns a place the engine reports into one in the file as its author sees it.
    func location(_ reported: SourceLocation) -> SourceLocation {
        guard reported.line == 1 else { return reported }
        var location = reported
        location.column = max(1, reported.column - Self.prefix.utf16.count)
        return location
    }

    /// Where a function's text stands.
    func location(ofSource text: String) -> SourceLocation? {
        for (file, source) in sources {
            guard let offset = source.utf8.firstOffset(of: text.utf8) else { continue }
            let before = source.utf8.prefix(offset)
            let line = before.count { $0 == 0x0a } + 1
            let column = before.reversed().prefix { $0 != 0x0a }.count + 1
            return SourceLocation(file: file, line: line, column: column)
        }
        return nil
    }
}

extension String.UTF8View {
    /// Where `needle` begins, in bytes.
    fileprivate func firstOffset(of needle: String.UTF8View) -> Int? {
        let (haystack, needle) = (Array(self), Array(needle))
        guard let first = needle.first, haystack.count >= needle.count else { return nil }
        for start in 0...(haystack.count - needle.count)
        where haystack[start] == first && haystack[start..<start + needle.count].elementsEqual(needle) {
            return start
        }
        return nil
    }
}
