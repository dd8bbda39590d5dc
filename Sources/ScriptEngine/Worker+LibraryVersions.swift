import CJavaScriptCore
import CLibXML2
import CSeccomp

extension Worker {
    /// The libraries that scripts run with, each with its version: `JavaScriptCore/2.48.3`.
    package static var libraryVersions: [String] {
        let engine = [jsc_get_major_version(), jsc_get_minor_version(), jsc_get_micro_version()]
        var versions = ["JavaScriptCore/\(engine.map { "\($0)" }.joined(separator: "."))"]
        // "20914-GITv2.9.14" is 2.9.14.
        let xml = xmlLibraryVersion().map { String(cString: $0) } ?? ""
        if let number = Int(xml.prefix { $0.isNumber }) {
            versions.append("libxml2/\(number / 10_000).\(number / 100 % 100).\(number % 100)")
        }
        if let seccomp = seccomp_version()?.pointee {
            versions.append("libseccomp/\(seccomp.major).\(seccomp.minor).\(seccomp.micro)")
        }
        return versions
    }
}
