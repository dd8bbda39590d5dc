import FoundationEssentials
import Glibc

extension Error {
    /// What the system said, where it did: Foundation's own words fill half a screen.
    package var systemReason: String {
        guard let error = self as? CocoaError, let cause = error.underlying as? POSIXError else { return "\(self)" }
        return String(cString: strerror(cause.code.rawValue))
    }
}
