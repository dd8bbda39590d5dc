import Glibc
import ImgScriptKit

/// The beginning of a provider, complete enough to load.
struct ProviderTemplate {
    let id: ProviderID

    /// Writes the file, unless there is one, and returns its path.
    func write(into folder: String) throws -> String {
        if mkdir(folder, 0o755) != 0, errno != EEXIST { throw Self.fault("the folder \(folder) cannot be made") }
        let path = "\(folder)/\(id).js"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw errno == EEXIST ? ProviderTemplateError("\(path) is there already") : Self.fault("\(path) cannot be made")
        }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Self.fault("\(path) cannot be written") }
        return path
    }

    private static func fault(_ what: String) -> ProviderTemplateError {
        ProviderTemplateError("\(what): \(String(cString: strerror(errno)))")
    }

    private var text: String {
        """
        /** @type {import('imgscript').Provider} */
        module.exports = {
          contract: 1,
          id: '\(id)', name: '\(id)', version: '0.1.0', homepage: 'https://\(id).example/',
          hosts: ['api.\(id).example'],
          mediaHosts: ['images.\(id).example'],
          // auth: { type: 'query', name: 'key', help: 'https://\(id).example/developers' },
          limits: { pageSize: { max: 100, default: 20 } },
          terms: { url: 'https://\(id).example/terms' },
          paging: 'page',

          search: {
            request: (q) => ({
              url: 'https://api.\(id).example/search',
              query: { q: q.text, page: q.page, per_page: q.limit },
            }),
            parse: (res) => ({ total: res.json.total, items: res.json.results.map(image) }),
          },
        };

        function image(photo) {
          return {
            id: photo.id,
            type: 'image',
            title: photo.title,
            page: photo.url,
            media: [{ role: 'original', url: photo.image, width: photo.width, height: photo.height }],
          };
        }

        """
    }
}

/// Why a provider's file could not be begun.
struct ProviderTemplateError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
