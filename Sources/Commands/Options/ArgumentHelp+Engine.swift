import ArgumentParser

/// The sentences of options that more than one group of them has: what is said of one is said of it everywhere.
extension ArgumentHelp {
    static let allowedHosts = ArgumentHelp(
        "A host on a private network that requests may go to.", valueName: "host[:port]")
    static let caFile = ArgumentHelp(
        "A file of certificates to trust besides the system's.", valueName: "file")
    static let instance = ArgumentHelp(
        "The server to use, for software that runs on many.", valueName: "url")
    static let scriptTimeout = ArgumentHelp(
        "Seconds a script may run in one go. (default: 2)", valueName: "seconds")
    static let scriptMemory = ArgumentHelp(
        "Megabytes of memory for one provider's script. (default: 256)", valueName: "mb")
    static let providerFolders = ArgumentHelp(
        "A folder with providers, looked in before all others.", valueName: "folder")
    static let providers = ArgumentHelp(
        "A provider to ask; may be given several times, or be “all”. (default: openverse)", valueName: "name")
    static let quiet: ArgumentHelp = "Say nothing but results and errors."
}

extension NameSpecification {
    static let providers: NameSpecification = [.customShort("p", allowingJoined: true), .customLong("provider")]
}
