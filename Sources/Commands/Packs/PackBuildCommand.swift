import ArgumentParser
import Glibc
import Packs

struct PackBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Makes the .tgz of a pack: the same bytes each time, and only when its providers pass.")

    @Argument(help: ArgumentHelp("The pack's folder.", valueName: "folder"))
    var folder = "."

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, or the folder to write it into.", valueName: "path")
    )
    var output = "."

    @OptionGroup var options: TriedPackOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let build = try PackBuild.build(folder: folder)
            let providers = build.manifest.providers.count
            context.app.status.note("checking \(providers) \(providers == 1 ? "provider" : "providers")")
            let report = try await context.checks(of: build.manifest, in: folder)
            try PackConformance.require(report, of: build.manifest.name)
            var facts = stat()
            let isFolder = stat(output, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            let path = isFolder ? "\(output == "." ? "" : output + "/")\(build.fileName)" : output
            try build.write(to: path)
            var table = KeyValueTable()
            table.add("Wrote", TableCell(path, .bold))
            table.add(
                "Content", TableCell("\(build.files.count) files, \(build.unpackedSize.inBytes)"),
                TableCell("packed to \(build.archive.count.inBytes)", .dim))
            table.add("Left out", values: build.leftOut.map { TableCell($0, .dim) })
            for line in table.lines(on: context.app.terminal) { try context.app.printLine(line) }
            try context.app.printLine(build.integrity.description)
            try context.app.output.flush()
            for remark in build.manifest.remarks { context.app.status.warning(remark) }
        }
    }
}
