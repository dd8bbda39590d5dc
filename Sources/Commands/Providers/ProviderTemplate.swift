import ArgumentParser
import ProviderModel

/// A provider to start from, complete enough to load.
struct ProviderTemplate {
    /// What the source answers with.
    enum Kind: String, OptionChoice {
        case json
        case html
        case feed
    }

    let id: ProviderID
    var kind = Kind.json
    /// The recorded request; nil for an invented one.
    var url: WebURL?

    /// The file's text.
    var text: String {
        switch kind {
        case .json: json
        case .html: html
        case .feed: feed
        }
    }

    private var host: String { url.map(\.authority) ?? (kind == .json ? "api.\(id).example" : "\(id).example") }

    private var address: String {
        guard let url else { return "https://\(host)/\(kind == .feed ? "feed.xml" : "search")" }
        return url.origin + url.path
    }

    private func manifest(paging: String, helpers: String) -> String {
        """
        \(helpers)/** @type {import('imgscript').Provider} */
        module.exports = {
          contract: 1,
          id: '\(id)', name: '\(id)', version: '0.1.0', homepage: 'https://\(host)/',
          hosts: ['\(host)'],
          mediaHosts: ['images.\(id).example'],
          // auth: { type: 'query', name: 'key', help: 'https://\(id).example/developers' },
          limits: { pageSize: { max: 100, default: 20 } },
          terms: { url: 'https://\(id).example/terms' },
          paging: '\(paging)',
        """
    }

    private var json: String {
        manifest(paging: "page", helpers: "") + """


              search: {
                request: (q) => ({
                  url: '\(address)',
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

    private var html: String {
        manifest(paging: "page", helpers: "const { fail } = require('imgscript');\n\n") + """


              search: {
                request: (q) => ({ url: '\(address)', query: { q: q.text, page: q.page }, accept: 'html' }),
                parse: ({ html }) => {
                  const results = html.querySelector('main');
                  if (!results) fail('changed', 'The page has no list of results.');
                  return { items: results.querySelectorAll('a[href]').map(image).filter((item) => item.media.length > 0) };
                },
              },
            };

            /** @param {import('imgscript').Element} link @returns {import('imgscript').Item} */
            function image(link) {
              const picture = link.querySelector('img');
              // Pages that load pictures late have their URLs in data-src or srcset.
              const file = picture?.getAttribute('data-src') ?? picture?.getAttribute('src');
              return {
                id: new URL(link.href).pathname,
                type: 'image',
                title: picture?.getAttribute('alt') ?? link.textContent.trim(),
                page: link.href,
                media: file ? [{ role: 'thumbnail', url: new URL(file, link.baseURI).href }] : [],
              };
            }

            """
    }

    private var feed: String {
        manifest(paging: "none", helpers: "const { parseDate, plainText } = require('imgscript');\n\n") + """


              feed: {
                request: () => ({ url: '\(address)', accept: 'xml' }),
                parse: ({ xml }) => ({
                  items: xml.querySelectorAll('item, entry').map(image).filter((item) => item.media.length > 0),
                }),
              },
            };

            /** @param {import('imgscript').Element} entry @returns {import('imgscript').Item} */
            function image(entry) {
              const text = (/** @type {string} */ name) => entry.querySelector(name)?.textContent.trim();
              const link = entry.querySelector('link[rel=alternate]') ?? entry.querySelector('link:not([rel])');
              const file = entry.querySelector('media\\\\:content, enclosure, link[rel=enclosure]');
              const url = file?.getAttribute('url') ?? file?.getAttribute('href');
              const page = link?.href || text('link');
              return {
                id: text('guid') ?? text('id') ?? page ?? '',
                type: 'image',
                title: plainText(text('title')),
                page,
                created: parseDate(text('pubDate') ?? text('published')),
                media: url ? [{ role: 'large', url: new URL(url, entry.baseURI).href }] : [],
              };
            }

            """
    }
}
