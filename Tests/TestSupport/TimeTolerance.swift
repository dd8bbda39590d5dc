import Glibc

/// How late something may be that has to happen by a deadline.
package enum TimeTolerance {
    /// Half a second where `IMGSCRIPT_STRICT_TIMES` says that the machine is free, enough for a busy one otherwise.
    package static let `default`: Duration = getenv("IMGSCRIPT_STRICT_TIMES") != nil ? .milliseconds(500) : .seconds(8)
}
