import HTTPTransport

/// How files are fetched.
package struct FetchSettings: Sendable {
    /// Whether anything is taken that comes, instead of images only.
    package var takesAnyContent = false
    /// Whether SHA-256 is computed of what comes, besides the hash that everything has.
    package var computesSHA256 = false
    /// From which length on a file may be fetched in parts side by side.
    package var splitLimit = 16 << 20
    /// The most parts of one file at a time; 1 for none.
    package var partLimit = 4
    /// How long the speed is measured before another part is tried.
    package var measuringTime = Duration.seconds(1)
    /// The most bytes of one file.
    package var lengthLimit = Int.max
    /// How long one file may take.
    package var deadline = Duration.seconds(24 * 3_600)
    /// How often and how long a request is tried again after an attempt that brought nothing.
    package var retries = RetryPolicy()
    /// How often a file that changes under way is begun anew.
    package var restartLimit = 3

    /// The usual settings.
    package init() {}
}
