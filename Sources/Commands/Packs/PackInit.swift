import ArgumentParser
import Packs
import ProviderModel

struct PackInit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes the folder of a new pack, which can be built at once.")

    @Argument(help: ArgumentHelp("The folder to make.", valueName: "folder"))
    var folder: String

    @Option(help: ArgumentHelp("The pack's name, such as @anna/boards. (default: the folder's)", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("The first provider's name. (default: the pack's, without its scope)", valueName: "provider")
    )
    var provider: String?

    @Option(help: ArgumentHelp("The key that it will be signed with: RW…, or a .pub file.", valueName: "key"))
    var key: String?

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let last = folder.split(separator: "/").last.map(String.init) ?? ""
            let packName = try PackName(name ?? last)
            let text = provider ?? packName.bareName
            guard let id = ProviderID(text) else {
                throw PackError(
                    .name, "\(text.quoted) is no provider's name, expected \(ProviderID.naming)",
                    hint: "--provider names it otherwise")
            }
            let template = PackTemplate(name: packName, provider: id, publicKey: try context.key(key))
            let root = folder.hasSuffix("/") && folder.count > 1 ? String(folder.dropLast()) : folder
            let files = template.files.map { (path: "\(root)/\($0.path)", text: $0.text) }
            for file in files { try OwnFile.checkFree(file.path) }
            for file in files { try OwnFile.write(file.text, to: file.path) }
            for file in template.files { try context.app.printLine("\(root)/\(file.path)") }
            try context.app.output.flush()
            context.app.status.note("try: imgscript pack build \(root)")
        }
    }
}
