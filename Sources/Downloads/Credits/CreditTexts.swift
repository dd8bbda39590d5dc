/// A credit as it lies in its kept fields: whoever writes down very many makes no texts of them.
struct CreditTexts {
    typealias Text = KeptFields.Text

    let provider: Text?
    let id: Text?
    let title: Text?
    let author: Text?
    let authorURL: Text?
    let source: Text
    let page: Text
    let licenseID: Text?
    let license: Text?
    let licenseURL: Text?
    let line: Text
    let notice: Text?

    /// The texts of a credit whose fields were kept; they last no longer than the bytes.
    init(kept bytes: Text) {
        var fields = KeptFields.Reader(bytes)
        provider = fields.next()
        id = fields.next()
        title = fields.next()
        author = fields.next()
        authorURL = fields.next()
        source = fields.next() ?? fields.empty
        page = fields.next() ?? fields.empty
        licenseID = fields.next()
        license = fields.next()
        licenseURL = fields.next()
        line = fields.next() ?? fields.empty
        notice = fields.next()
    }
}
