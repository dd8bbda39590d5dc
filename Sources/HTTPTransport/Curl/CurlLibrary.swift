import CCurl

/// The library that requests are sent with.
package enum CurlLibrary {
    /// Its version and those of the libraries behind it: `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13`.
    package static var version: String { ccurl_version().map { String(cString: $0) } ?? "libcurl" }
}
