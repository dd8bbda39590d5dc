import ImgScript

/// The beginning of a provider, complete enough to load.
struct ProviderTemplate {
    let id: ProviderID

    /// The file's text.
    var text: String {
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
