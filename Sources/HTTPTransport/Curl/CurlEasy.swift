import CCurl
import HTTPTypes

/// One easy handle of libcurl with typed options; freed with its last reference.
final class CurlEasy {
    /// The handle itself.
    let handle: UnsafeMutableRawPointer
    /// The first option that the library did not take.
    private(set) var problem: CURLcode?
    private let errorText: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// What the header lines were made of that are set.
    private var lineSource: (headers: HTTPFields, hasBody: Bool)?
    private var sharedBytes: SharedBytes?
    private var sharedCertificates: TrustedCertificates?
    private var proxy: String?
    /// Whether the options are set that are the same for all requests, and those of TLS.
    var isPrepared = false
    var hasTrust = false
    var hasProxyTrust = false
    /// Whether an option was set that the next request must not have.
    private(set) var isSpecial = false

    init?() {
        guard let handle = ccurl_easy_init() else { return nil }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        note(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
    }

    /// Makes ready for another request.
    ///
    /// What is the same for all requests stays, and so do the buffers, which are large.
    func reuse() {
        if isSpecial || problem != nil {
            ccurl_easy_reset(handle)
            (isPrepared, hasTrust, hasProxyTrust, isSpecial, problem) = (false, false, false, false, nil)
            note(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
            forgetHeaderLines()
            proxy = nil
        }
        errorText[0] = 0
    }

    deinit {
        ccurl_easy_cleanup(handle)
        ccurl_list_free(lines)
        errorText.deallocate()
    }

    /// What the library says about the last failure.
    var failureText: String { String(cString: errorText) }

    func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_number(handle, option, value)) }

    func set(_ option: CURLoption, _ value: Bool) { note(ccurl_set_number(handle, option, value ? 1 : 0)) }

    /// A text, copied by the library; nil takes its default away.
    func set(_ option: CURLoption, _ value: String?) { note(ccurl_set_text(handle, option, value)) }

    func set(_ option: CURLoption, milliseconds duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
        let value = milliseconds.overflow ? Int64.max : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
        // 0 would mean “for ever”, and the library refuses more than an int of seconds.
        note(ccurl_set_number(handle, option, Int(min(max(value, 1), 2_000_000_000))))
    }

    /// An option for this one request.
    func setOnce(_ option: CURLoption, _ value: Bool) {
        isSpecial = true
        set(option, value)
    }

    /// A text for this one request.
    func setOnce(_ option: CURLoption, _ value: String) {
        isSpecial = true
        set(option, value)
    }

    /// The proxy, which is mostly that of the request before, and the name that it is asked in.
    func setProxy(_ address: String, userAgent: String) {
        guard proxy != address else { return }
        proxy = address
        set(CURLOPT_PROXY, address)
        // Without a proxy it stands in the header lines alone: from here the library would write a line for each request.
        set(CURLOPT_USERAGENT, address.isEmpty ? nil : userAgent)
    }

    /// Bytes that every handle shares, and that live as long as this one.
    func set(_ option: CURLoption, shared bytes: SharedBytes) {
        sharedBytes = bytes
        note(ccurl_share_bytes(handle, option, bytes.buffer.baseAddress, bytes.buffer.count))
    }

    /// Certificates that every handle shares, and that live as long as this one; false where the library does not take them.
    func trust(_ certificates: TrustedCertificates) -> Bool {
        sharedCertificates = certificates
        return certificates.trust(self)
    }

    /// An option that older libraries lack and that is a comfort, not a need.
    func prefer(_ option: CURLoption, _ value: Int) { _ = ccurl_set_number(handle, option, value) }

    /// The body of the request, copied by the library.
    func setBody(_ body: [UInt8]) {
        isSpecial = true
        note(ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        body.withUnsafeBytes { bytes in
            // A null pointer would mean “read it from a callback”.
            withUnsafePointer(to: 0 as UInt8) { nothing in
                note(ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(nothing)))
            }
        }
    }

    /// Sends the lines that are made of these headers, which are often those of the request before.
    func setHeaders(_ headers: HTTPFields, hasBody: Bool, _ texts: (_ hasBody: Bool) -> [String]) {
        if let lineSource, lineSource.hasBody == hasBody, lineSource.headers.elementsEqual(headers) { return }
        forgetHeaderLines()
        for text in texts(hasBody) { lines = ccurl_list_append(lines, text) ?? lines }
        lineSource = (headers, hasBody)
        note(ccurl_set_list(handle, CURLOPT_HTTPHEADER, lines))
    }

    private func forgetHeaderLines() {
        note(ccurl_set_list(handle, CURLOPT_HTTPHEADER, nil))
        ccurl_list_free(lines)
        (lines, lineSource) = (nil, nil)
    }

    func number(_ wanted: CURLINFO) -> Int { ccurl_get_number(handle, wanted) }

    func note(_ code: CURLcode) {
        if code != CURLE_OK, problem == nil { problem = code }
    }
}
