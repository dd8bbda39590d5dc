import ArgumentParser

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "Lists, explains, checks and begins providers.",
        subcommands: [
            ListProviders.self, ShowProvider.self, CheckProviders.self, NewProvider.self, DevelopProvider.self,
        ],
        defaultSubcommand: ListProviders.self)
}
