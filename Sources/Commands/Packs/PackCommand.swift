import ArgumentParser

struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Makes, shares and installs packs of providers.",
        discussion: """
            A pack is an npm package with provider files in it, to be shared as a .tgz, in git or in any npm registry.
              imgscript pack init boards && imgscript pack build boards
              imgscript pack install ./anna-boards-1.0.0.tgz
            """,
        subcommands: [
            PackInit.self, PackBuildCommand.self, PackKeygen.self, PackSign.self, PackVerify.self, PackInspect.self,
            PackInstall.self, PackList.self, PackOutdated.self, PackUpdate.self, PackRollback.self, PackRemove.self,
            PackSearch.self,
            PackRunTests.self,
        ])
}
