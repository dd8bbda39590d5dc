import CJavaScriptCore
import ProviderModel

/// The files of a provider that were read, and the loader of its modules.
final class ModuleTable {
    /// Asks the host for a module's source: its file, and the file that asks.
    var module: (_ file: String, _ from: String) throws(NativeError) -> String = { file, _ throws(NativeError) in
        throw .message("\(file) is not available")
    }
    /// Counts what is reached in the files that are compiled; nil without coverage.
    var coverage: CoverageProbe?
    /// The maximum number of files of one provider.
    static let limit = 64

    private struct Source {
        let file: String
        /// As the engine has it.
        var text: String
        /// What was put into the text.
        var insertions = InsertedColumns()
    }

    private var sources: [Source] = []

    /// On a line of its own, so that columns stay as they are; `location` takes the line off again.
    private static let prefix = "function (exports, require, module) { 'use strict';\n"

    /// Compiles a file as the body of a CommonJS function.
    func compile(
        _ source: String, file: String, in runtime: ScriptRuntime
    ) throws(ScriptRuntime.Interruption) -> JSObjectRef {
        sources.append(Source(file: file, text: source))
        // Alone first: a stray brace then cannot end the function early.
        do throws(ScriptRuntime.Interruption) { try runtime.checkSyntax("\n" + source, file: file) } catch {
            Self.addPlace(to: error, of: source, after: "\n", in: runtime)
            throw error
        }
        // Test files are not counted.
        guard !file.hasSuffix(".test.js"), let counted = try coverage?.counted(source, file: file) else {
            let head = "(\(Self.prefix)"
            do throws(ScriptRuntime.Interruption) {
                return try runtime.object(runtime.evaluate("\(head)\(source)\n})", file: file))
            } catch {
                // Strict mode refuses more.
                Self.addPlace(to: error, of: source, after: head, in: runtime)
                throw error
            }
        }
        sources[sources.count - 1].text = counted.text
        sources[sources.count - 1].insertions = counted.insertions
        let make = try runtime.object(
            runtime.evaluate(
                "(function (\(counted.counter)) { return \(Self.prefix)\(counted.text)\n}; })", file: file))
        return try runtime.object(runtime.call(make, [.value(counted.counters)]))
    }

    /// Gives a SyntaxError its column, as a property of the thrown value.
    private static func addPlace(
        to interruption: ScriptRuntime.Interruption, of source: String, after head: String, in runtime: ScriptRuntime
    ) {
        guard case .thrown(let thrown) = interruption, let (text, line) = runtime.syntaxError(thrown) else { return }
        let locator = SyntaxErrorLocator(source: source) { piece in
            do throws(ScriptRuntime.Interruption) { try runtime.checkSyntax(head + piece, file: "") } catch {
                guard case .thrown(let thrown) = error else { return nil }
                return runtime.syntaxError(thrown)?.message
            }
            return nil
        }
        runtime.keep(thrown.value)
        defer { runtime.release(thrown.value) }
        // The head is a line of its own.
        let place = locator.place(of: text, onLine: line - 1)
        runtime.set("place", of: thrown.value, to: runtime.value("\(place.line + 1):\(place.column)"))
    }

    /// The source of a module, from the host.
    func source(of file: String, for asker: String) throws(NativeError) -> String {
        guard sources.count < Self.limit else { throw .message("require: a provider has at most \(Self.limit) files") }
        return try module(file, asker)
    }

    /// The path of a module within the pack: `./theme` beside `sites/a.js` is `sites/theme.js`.
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

    // MARK: Locations

    /// The innermost place in one of the provider's files, as its author sees it; a script can write any stack it likes.
    func location(innermostIn stack: String) -> SourceLocation? {
        location(innermostIn: stack) { file in self.sources.contains { $0.file == file } }
    }

    /// The innermost place in one file.
    func location(innermostIn stack: String, of file: String) -> SourceLocation? {
        location(innermostIn: stack) { $0 == file }
    }

    /// The place of what does not end while a file is loaded.
    func location(ofLoopIn stack: String) -> SourceLocation? {
        let place = location(innermostIn: stack)
        let frames = frames(of: stack).filter { frame in sources.contains { $0.file == frame.file } }
        // More than one is a function that was called, and the place in there is good.
        guard frames.count == 1, let place, let source = sources.first(where: { $0.file == place.file }) else {
            return place
        }
        let offset = place.line == 0 ? nil : Self.offset(ofLine: place.line, column: frames[0].column, in: source.text)
        guard let start = TopLevelLoopScanner(in: source.text).start(near: offset) else { return place }
        let before = source.text.utf8.prefix(start)
        return original(
            SourceLocation(
                file: source.file, line: before.count { $0 == 0x0a } + 1,
                column: before.reversed().prefix { $0 != 0x0a }.count + 1))
    }

    private static func offset(ofLine line: Int, column: Int, in text: String) -> Int {
        var (offset, number) = (0, 1)
        for byte in text.utf8 where number < line {
            offset += 1
            if byte == 0x0a { number += 1 }
        }
        return offset + max(column - 1, 0)
    }

    private func frames(of stack: String) -> [SourceLocation] {
        stack.split(separator: "\n").compactMap(SourceLocation.init(frame:))
    }

    private func location(innermostIn stack: String, where isWanted: (String) -> Bool) -> SourceLocation? {
        guard var location = frames(of: stack).first(where: { isWanted($0.file) }) else { return nil }
        // A loop in which nothing is called leaves no place: the engine gives the function's, here that around the file.
        guard location.line > 1 else { return SourceLocation(file: location.file) }
        location.line -= 1
        return original(location)
    }

    /// Where a function's text stands.
    func location(ofSource text: String) -> SourceLocation? {
        for source in sources {
            guard let offset = source.text.utf8.firstOffset(of: text.utf8) else { continue }
            let before = source.text.utf8.prefix(offset)
            let line = before.count { $0 == 0x0a } + 1
            let column = before.reversed().prefix { $0 != 0x0a }.count + 1
            return original(SourceLocation(file: source.file, line: line, column: column))
        }
        return nil
    }

    /// Where a member of what a file exports seems to be written: the names of its path, one after the other.
    func location(ofMember path: String, in file: String) -> SourceLocation? {
        guard let source = sources.first(where: { $0.file == file }) else { return nil }
        let text = Array(source.text.utf8)
        var (place, from): (Int?, Int) = (nil, 0)
        let names = path.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
            .filter { $0.first?.isNumber == false }
        for name in names {
            guard let found = Self.offset(ofName: Array(name.utf8), in: text, from: from) else { break }
            (place, from) = (found, found + name.utf8.count)
        }
        guard let place else { return nil }
        let line = text[..<place].count { $0 == 0x0a } + 1
        let column = text[..<place].reversed().prefix { $0 != 0x0a }.count + 1
        return original(SourceLocation(file: file, line: line, column: column))
    }

    /// Where a name with a colon behind it begins.
    private static func offset(ofName name: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        func isNameByte(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
        }
        var at = start
        while at + name.count < text.count {
            defer { at += 1 }
            guard text[at] == name[0], text[at..<at + name.count].elementsEqual(name),
                at == 0 || !isNameByte(text[at - 1])
            else { continue }
            let next = text[(at + name.count)...].first { !" \n'\"".utf8.contains($0) }
            if next == UInt8(ascii: ":") { return at }
        }
        return nil
    }

    /// The place as the file's author sees it.
    private func original(_ location: SourceLocation) -> SourceLocation {
        guard let source = sources.first(where: { $0.file == location.file }) else { return location }
        var location = location
        location.column = source.insertions.original(column: location.column, line: location.line)
        return location
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
