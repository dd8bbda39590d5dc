import ArgumentParser
import Glibc
import ImgScript
import ProviderTesting

struct MCPCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve images to AI agents by the Model Context Protocol",
        discussion: """
            A program such as Claude Desktop or VS Code starts it, and talks to it on standard input and output. Images \
            without a stated licence are left out unless the agent asks for them.
              imgscript mcp --directory Pictures
              claude mcp add imgscript -- imgscript mcp --provider openverse --provider met
            """)

    @Option(name: .providers, help: .providers, completion: .providersOrAll)
    var providers: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("folder for downloads; without it, agents cannot download", valueName: "folder"),
        completion: .directory)
    var directory: String?

    @Option(
        help: ArgumentHelp(
            "folder where agents may draft, check and test providers; without it, they cannot", valueName: "folder"),
        completion: .directory)
    var authoring: String?

    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        for (name, isSet) in [("--dry-run", engine.dryRun), ("--trace", engine.trace)] where isSet {
            throw ValidationError("\(name): not supported here (expected a command that prints results)")
        }
        for (name, folder) in [("--directory", directory), ("--authoring", authoring)] where folder == "" {
            throw ValidationError("\(name): empty value (expected a folder)")
        }
    }

    func run() async throws {
        let context = try AppContext(engine) { settings in
            if let authoring { settings.providerFolders.insert(authoring, at: 0) }
        }
        try await context.run {
            for name in providers.isEmpty ? [] : context.engine.providerNames(for: providers) {
                try context.engine.checkInstalled(name)
            }
            // Without a client there is nobody to work for, and files are whole at any time: the kernel ends the workers.
            let output = MessageOutput(STDOUT_FILENO) { _exit(ExitStatus.success.rawValue) }
            let images = ImageTools(engine: context.engine, providers: providers)
            let server = MCPServer(
                try MCPDescriptions(), tools: images.tools + otherTools(context),
                resources: MCPResources(tools: images, folder: directory)
            ) { output.send($0) }
            for await line in MessageInput.lines(of: STDIN_FILENO) { server.receive(line) }
            await server.finish()
            await output.flush()
        }
    }

    /// The tools that write into folders, for those that the user named.
    private func otherTools(_ context: AppContext) -> [MCPTool] {
        let download = directory.map { [DownloadTool(engine: context.engine, folder: $0).tool] }
        let making = authoring.map { folder in
            AuthoringTools(engine: context.engine, folder: folder, settings: TestSettings(context.settings)).tools
        }
        return (download ?? []) + (making ?? [])
    }
}
