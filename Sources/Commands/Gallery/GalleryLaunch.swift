import FoundationEssentials
import Glibc
import ImgScript

/// Becomes `imgscript-gallery`: the web server is a program of its own, so that the command line stays small.
struct GalleryLaunch {
    let context: AppContext
    var options: GalleryOptions

    init(context: AppContext, options: GalleryOptions, network: NetworkOptions) {
        self.context = context
        self.options = options
        self.options.isVerbose = network.verbose
        self.options.isQuiet = network.quiet
        // For developing the page: its files are read from this folder at every request.
        self.options.pageFolder = context.settings.environment["IMGSCRIPT_GALLERY_PAGE"]
    }

    /// Checks what can be checked, and replaces this process; returns only by throwing.
    func run() async throws {
        try await context.run {
            let names = context.engine.providerNames(for: options.providers)
            // An unknown provider is a slip that a page of failures would hide.
            if !options.providers.isEmpty { for name in names { _ = try await context.engine.manifest(of: name) } }
            try await context.engine.checkInstance(isTakenBy: names)
            await context.refreshStatuses()
        }
        let program = GalleryOptions.program(in: context.settings.environment)
        guard access(program, X_OK) == 0 else {
            context.status.error(
                "could not start the gallery: no program at \(program)",
                hint: "make install installs it, and make build builds it")
            throw ExitStatus.failure
        }
        let json = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        // Workers that have looked at providers are children of this process: they would outlive it as the gallery's.
        await context.engine.shutdown()
        // Not among the options, which every process can read: the address may have a password.
        if let proxy = context.settings.proxy {
            for name in ["https_proxy", "HTTPS_PROXY", "http_proxy", "ALL_PROXY"] { unsetenv(name) }
            setenv("all_proxy", proxy, 1)
        }
        for (name, provider) in context.settings.providers {
            if let proxy = provider.network.proxy { setenv(GalleryOptions.proxyVariable(of: name), proxy, 1) }
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(json), nil]
        execv(program, &arguments)
        context.status.error("could not start \(program): \(String(cString: strerror(errno)))", hint: nil)
        throw ExitStatus.failure
    }
}
