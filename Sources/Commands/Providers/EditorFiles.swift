import ArgumentParser
import FoundationEssentials
import Glibc
import ImgScript
import ProviderModel

/// The types of the contract and the settings of a JavaScript project, from which an editor completes and checks provider
/// files.
struct EditorFiles {
    static let types = "imgscript.d.ts"
    static let project = "jsconfig.json"

    /// Where the program's own types are; nil where its providers are not installed.
    private let source: String?

    init(_ settings: ImageEngine.Configuration) {
        source = settings.shippedFolders.map { "\($0)/types/\(Self.types)" }.first { access($0, R_OK) == 0 }
    }

    /// Writes both into a folder, and returns the paths of those that are new or other ones.
    ///
    /// The types are those of this program, whatever stood there; a project's settings stay its author's.
    func write(into folder: String) throws(OutputError) -> [String] {
        guard let source else { return [] }
        let types: [UInt8]
        do { types = Array(try Data(contentsOf: URL(filePath: source))) } catch {
            throw OutputError(.writing, "could not read \(source): \(error.systemReason)")
        }
        var written: [String] = []
        let path = "\(folder)/\(Self.types)"
        // A file that cannot be read is written anew, and that says what is wrong.
        if (try? Data(contentsOf: URL(filePath: path))).map({ Array($0) }) != types {
            try Self.write(types, to: path)
            written.append(path)
        }
        let hasProject = [Self.project, "tsconfig.json"].contains { access("\(folder)/\($0)", F_OK) == 0 }
        if !hasProject {
            try Self.write(Array(Self.settings.utf8), to: "\(folder)/\(Self.project)")
            written.append("\(folder)/\(Self.project)")
        }
        return written
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
        let code = AtomicFile.write(bytes, to: path, mode: 0o644)
        guard code == 0 else {
            throw OutputError(.writing, "could not write \(path): \(String(cString: strerror(code)))")
        }
    }

    /// The scripts know the language alone: neither Node's modules nor a browser's.
    private static let settings = """
        {
          "compilerOptions": {
            "checkJs": true,
            "strict": true,
            "noImplicitAny": false,
            "noEmit": true,
            "target": "es2022",
            "lib": ["es2022"],
            "module": "nodenext",
            "types": []
          },
          "include": ["imgscript.d.ts", "**/*.js"]
        }

        """
}

struct WriteTypes: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Write the types for an editor into a folder of providers",
        discussion: """
            Writes imgscript.d.ts, and jsconfig.json where there is none: editors complete and check the files in the \
            folder, and so does tsc -p jsconfig.json.
            """)

    @Argument(help: ArgumentHelp("folder (default: providers)", valueName: "folder"), completion: .directory)
    var folder = "providers"

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        guard access(folder, F_OK) == 0 else {
            throw OutputError(.writing, "no such folder: \(folder) (expected one with provider files)")
        }
        let written = try EditorFiles(context.settings).write(into: folder)
        for path in written { try context.printLine(context.terminal.paint("wrote ", .dim) + path) }
        if written.isEmpty { context.status.note("the types in \(folder) are up to date") }
    }
}
