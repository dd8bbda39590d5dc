import HTTPTypes
import ProviderModel
import Testing

@testable import ProviderAuthoring

/// An answer of a source that does not exist, in the shape of many that do, and what should be made of it.
struct InventedAnswer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: String
    var headers: HTTPFields = [:]
    let answer: String
    /// What the account of the draft has to say, line by line: `title: caption`.
    let findings: [String]

    static let all = [
        InventedAnswer(
            testDescription: "page numbers, sizes in the names",
            request: "https://api.lakes.example/v1/photos?query=swan&page=1&per_page=2&lang=en&api_key=s3cretkey",
            answer: #"""
                {"total":7,"photos":[
                 {"id":11,"pageURL":"https://lakes.example/p/11","caption":"Swan <b>one</b>","tags":"swan, lake","previewURL":"https://cdn.lakes.example/11_t.jpg","previewWidth":150,"previewHeight":99,"largeImageURL":"https://cdn.lakes.example/11_l.jpg","imageWidth":4000,"imageHeight":3000,"user":"anna","user_id":5,"userImageURL":"https://cdn.lakes.example/u/5.jpg","likes":3},
                 {"id":12,"pageURL":"https://lakes.example/p/12","caption":"Swan two","tags":"swan","previewURL":"https://cdn.lakes.example/12_t.jpg","previewWidth":150,"previewHeight":99,"largeImageURL":"https://cdn.lakes.example/12_l.jpg","imageWidth":800,"imageHeight":600,"user":"ben","user_id":6,"userImageURL":"https://cdn.lakes.example/u/6.jpg","likes":0}]}
                """#,
            findings: [
                "text: sent as ?query=, here \"swan\"", "page: sent as ?page=, here \"1\"",
                "page size: sent as ?per_page=, here \"2\"", "key: { type: 'query', name: 'api_key' }",
                "items: 2 in photos",
                "id: id", "title: caption", "page: pageURL", "tags: tags", "author: user, user_id", "stats: likes",
                "large: largeImageURL, imageWidth × imageHeight", "thumbnail: previewURL, previewWidth × previewHeight",
                "total: total", "paging: 'page'",
            ]),
        InventedAnswer(
            testDescription: "a tag of the source's own beside the text",
            request: "https://api.ponds.example/search?keys=pond&tags=$free&page=1",
            answer: #"""
                {"results":[
                 {"id":1,"title":"Pond","url":"https://ponds.example/1","image":"https://i.ponds.example/1.jpg"},
                 {"id":2,"title":"Two ponds","url":"https://ponds.example/2","image":"https://i.ponds.example/2.jpg"}]}
                """#,
            findings: [
                "text: sent as ?keys=, here \"pond\"", "page: sent as ?page=, here \"1\"", "items: 2 in results",
                "id: id",
                "title: title", "page: url", "original: image", "paging: 'page'",
            ]),
        InventedAnswer(
            testDescription: "a token that is handed back, nested sizes, numbers as texts",
            request: "https://api.reeds.example/search?q=reed&limit=2&after=",
            answer: #"""
                {"data":{"children":[
                 {"data":{"uuid":"a-1","title":"Reed","permalink":"https://reeds.example/a-1","over_18":false,"created_utc":1714557600,"images":{"original":{"url":"https://i.reeds.example/a-1.png","width":"1200","height":"800"},"thumb":{"url":"https://i.reeds.example/t/a-1.png","width":"120","height":"80"}},"author":{"name":"Cleo","id":"c","links":{"html":"https://reeds.example/@cleo"}},"license":"https://creativecommons.org/licenses/by/4.0/"}},
                 {"data":{"uuid":"a-2","title":null,"permalink":"https://reeds.example/a-2","over_18":true,"created_utc":1714557601,"images":{"original":{"url":"https://i.reeds.example/a-2.png","width":"1200","height":"800"}},"author":{"name":"Dan","id":"d","links":{"html":"https://reeds.example/@dan"}},"license":null}}],
                 "next_cursor":"t3_zz"}}
                """#,
            findings: [
                "items: 2 in data.children", "id: data.uuid", "title: data.title", "page: data.permalink",
                "author: data.author.name, data.author.id, data.author.links.html", "license: data.license",
                "created: data.created_utc",
                "rating: data.over_18",
                "original: data.images.original.url, data.images.original.width × data.images.original.height",
                "thumbnail: data.images.thumb.url, data.images.thumb.width × data.images.thumb.height",
                "paging: 'cursor', by data.next_cursor",
            ]),
        InventedAnswer(
            testDescription: "paths in place of URLs, one of them missing",
            request: "https://moss.example/api/find?q=moss&page=1",
            answer: #"""
                {"wallpapers":[
                 {"name":"Moss","image":"/files/moss%201.jpg","thumb":"files/t/1.jpg","link":"/moss/1"},
                 {"name":"More moss","image":"/files/2.jpg","link":"/moss/2"}]}
                """#,
            findings: [
                "items: 2 in wallpapers", "title: name", "page: link", "original: image", "thumbnail: thumb",
                "id: link",
            ]),
        InventedAnswer(
            testDescription: "a bare array by offset, URLs without a scheme",
            request: "https://board.example/post.json?tags=fern&offset=0&limit=2",
            answer: #"""
                [{"id":"x1","file_url":"//files.board.example/x1.jpg","width":10,"height":20,"sample_url":"//files.board.example/s/x1.jpg","tag_string":"fern green","created_at":"2024-05-01T10:00:00Z"},
                 {"id":"x2","file_url":"//files.board.example/x2.jpg","width":11,"height":21,"sample_url":"//files.board.example/s/x2.jpg","tag_string":"fern","created_at":"2024-05-02T10:00:00Z"}]
                """#,
            findings: [
                "text: sent as ?tags=, here \"fern\"", "offset: sent as ?offset=, here \"0\"",
                "items: 2 in $",
                "tags: tag_string", "created: created_at", "original: file_url, width × height", "regular: sample_url",
                "paging: 'offset'",
            ]),
        InventedAnswer(
            testDescription: "GraphQL in a body, edges and nodes",
            request:
                #"curl https://gql.example/ --json '{"query":"query($search:String,$page:Int){\n images{id}\n}","variables":{"search":"owl","page":1,"perPage":2}}'"#,
            answer: #"""
                {"data":{"images":{"total":9,"edges":[{"node":{"id":"n1","name":"Owl","url":"https://img.gql.example/n1.webp"}},{"node":{"id":"n2","name":"Owls","url":"https://img.gql.example/n2.webp"}}]}}}
                """#,
            findings: [
                "text: sent as the body's variables.search, here \"owl\"",
                "page: sent as the body's variables.page, here \"1\"",
                "page size: sent as the body's variables.perPage, here \"2\"", "items: 2 in data.images.edges",
                "id: node.id",
                "title: node.name", "original: node.url", "total: data.images.total", "paging: 'page'",
            ]),
        InventedAnswer(
            testDescription: "the next page's URL, an object by ids",
            request: "https://wiki.example/api?search=moss&size=2",
            answer: #"""
                {"query":{"pages":{"7":{"pageid":7,"title":"Moss","thumbnail":{"source":"https://up.wiki.example/m.jpg","width":50,"height":60}},"9":{"pageid":9,"title":"Mosses","thumbnail":{"source":"https://up.wiki.example/n.jpg","width":51,"height":61}}}},
                 "links":{"next":"https://wiki.example/api?search=moss&size=2&page=2"}}
                """#,
            findings: [
                "items: 2 in query.pages", "id: pageid", "title: title",
                "thumbnail: thumbnail.source, thumbnail.width × thumbnail.height", "page: sent as ?page=",
                "paging: 'page', by links.next",
            ]),
        InventedAnswer(
            testDescription: "URLs and nothing else",
            request: "https://dogs.example/api/search/hound/images",
            answer:
                #"{"message":["https://i.dogs.example/h/1.jpg","https://i.dogs.example/h/2.jpg"],"status":"success"}"#,
            findings: [
                "text: sent as what follows /search/ in the path, here \"hound\"", "items: 2 in message",
                "original: the URLs themselves", "paging: 'none'",
            ]),
        InventedAnswer(
            testDescription: "a feed with Yahoo's media elements",
            request: "https://feeds.example/rss?tag=oak",
            answer: """
                <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Oaks</title>
                <item><title>Oak</title><link>https://feeds.example/1</link><guid>oak-1</guid><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate>
                <media:content url="https://cdn.feeds.example/1.jpg" width="100" height="50"/><media:thumbnail url="https://cdn.feeds.example/t/1.jpg"/></item>
                <item><title>Oaks</title><link>https://feeds.example/2</link><guid>oak-2</guid><pubDate>Thu, 02 May 2024 10:00:00 GMT</pubDate>
                <media:content url="https://cdn.feeds.example/2.jpg" width="100" height="50"/></item></channel></rss>
                """,
            findings: ["text: sent as ?tag=, here \"oak\"", "items: 2 elements item of RSS", "paging: 'none'"]),
        InventedAnswer(
            testDescription: "a web page",
            request: "https://walls.example/search?q=ivy&page=1",
            answer: """
                <!doctype html><html><body><ul>
                <li><a href="/w/1"><img src="https://th.walls.example/1.jpg" alt="Ivy"></a></li>
                <li><a href="/w/2"><img src="https://th.walls.example/2.jpg" alt="Old ivy"></a></li></ul></body></html>
                """,
            findings: ["items: 2 links that hold an image", "paging: 'page'"]),
        InventedAnswer(
            testDescription: "several images beside a film, the total in a header",
            request: "https://shells.example/api/search?query=whelk&page=1&perpage=2",
            headers: [HTTPField.Name("Total-Results")!: "3"],
            answer: #"""
                [{"id":"items/1","displayTitle":"Whelk","objectSummary":"A whelk.","keywords":["Sea"],"licence":{"name":"CC BY","uri":"https://creativecommons.org/licenses/by/4.0"},"media":[{"id":"m0","type":"video","uri":"https://film.example/1"},{"id":"m1","type":"image","large":{"uri":"https://shells.example/m/1-large.jpg","width":30,"height":20},"thumbnail":{"uri":"https://shells.example/m/1-thumbnail.jpg","width":3,"height":2}},{"id":"m2","type":"image","large":{"uri":"https://shells.example/m/2-large.jpg","width":30,"height":20},"thumbnail":{"uri":"https://shells.example/m/2-thumbnail.jpg","width":3,"height":2}}]},
                 {"id":"items/2","displayTitle":"Limpet","objectSummary":null,"keywords":["Sea"],"licence":{"name":"CC BY","uri":"https://creativecommons.org/licenses/by/4.0"},"media":[{"id":"m3","type":"image","large":{"uri":"https://shells.example/m/3-large.jpg","width":30,"height":20},"thumbnail":{"uri":"https://shells.example/m/3-thumbnail.jpg","width":3,"height":2}}]}]
                """#,
            findings: [
                "id: id", "title: displayTitle", "description: objectSummary", "tags: keywords", "license: licence.uri",
                "large: media[type=image].large.uri, media[type=image].large.width × media[type=image].large.height",
                "total: headers['total-results']",
            ]),
        InventedAnswer(
            testDescription: "lists of lists, a text of rights, paths with a colon",
            request: "https://api.pines.example/v1/search?lookfor=pine&page=1&limit=2",
            answer: #"""
                {"resultCount":5,"records":[
                 {"id":"a:1","title":"Pine","images":["/Show?id=a:1&index=0&size=large","/Show?id=a:1&index=1&size=large"],"imageRights":{"link":"http://creativecommons.org/licenses/by/4.0/deed.fi","description":["Free to use."]},"authors":[{"name":"Anna"}],"subjects":[["trees"],["winter"]],"summary":["A pine."],"recordPage":"/Record/a:1"},
                 {"id":"a:2","title":"Pines","images":["/Show?id=a:2&index=0&size=large"],"imageRights":{"link":"http://creativecommons.org/licenses/by/4.0/deed.fi","description":["Free to use."]},"authors":[],"subjects":[["trees"]],"summary":[],"recordPage":"/Record/a:2"}]}
                """#,
            findings: [
                "text: sent as ?lookfor=, here \"pine\"", "description: summary[0]", "tags: subjects",
                "page: recordPage", "license: imageRights.link", "large: images[0]", "total: resultCount",
            ]),
        InventedAnswer(
            testDescription: "IIIF, an answer of the API per item, a maker in a list",
            request: "https://api.prints.example/art/search/?keys=fox&offset=0&rows=2",
            answer: #"""
                {"found":9,"items":[
                 {"id":"1_o","rights":"https://creativecommons.org/share-your-work/public-domain/cc0/","titles":[{"title":"Fox"}],"production":[{"creator":"Finch, Marlow"}],"image_width":400,"image_height":300,"object_url":"https://api.prints.example/art/?n=1","image_iiif_info":"https://iip.prints.example/iiif/1.jp2/info.json","image_thumbnail":"https://iip.prints.example/iiif/1.jp2/full/!100,/0/default.jpg"},
                 {"id":"2_o","rights":"https://creativecommons.org/publicdomain/mark/1.0/","titles":[{"title":"Foxes"}],"production":[],"image_width":400,"image_height":300,"object_url":"https://api.prints.example/art/?n=2","image_iiif_info":"https://iip.prints.example/iiif/2.jp2/info.json","image_thumbnail":"https://iip.prints.example/iiif/2.jp2/full/!100,/0/default.jpg"}]}
                """#,
            findings: [
                "text: sent as ?keys=, here \"fox\"", "title: titles[0].title", "author: production[0].creator",
                "license: rights", "original: image_iiif_info, image_width × image_height",
                "thumbnail: image_thumbnail",
            ]),
        InventedAnswer(
            testDescription: "sizes by name, a slug for a title, terms in lists",
            request: "https://blog.example/wp-json/wp/v2/photos?search=mug&page=1&per_page=2",
            headers: [HTTPField.Name("X-WP-TotalPages")!: "2", HTTPField.Name("X-WP-Total")!: "4"],
            answer: #"""
                [{"id":1,"slug":"ab","title":{"rendered":"ab"},"link":"https://blog.example/p/ab/","_embedded":{"wp:featuredmedia":[{"alt_text":"A mug","source_url":"https://cdn.blog.example/ab.jpg","media_details":{"sizes":{"medium":{"source_url":"https://cdn.blog.example/ab-300x225.jpg","width":300,"height":225},"thumbnail":{"source_url":"https://cdn.blog.example/ab-150x150.jpg","width":150,"height":150}}}}],"wp:term":[[{"name":"food"}],[{"name":"brown"}]]}},
                 {"id":2,"slug":"cd","title":{"rendered":"cd"},"link":"https://blog.example/p/cd/","_embedded":{"wp:featuredmedia":[{"alt_text":"Two mugs","source_url":"https://cdn.blog.example/cd.jpg","media_details":{"sizes":{"medium":{"source_url":"https://cdn.blog.example/cd-300x225.jpg","width":300,"height":225},"thumbnail":{"source_url":"https://cdn.blog.example/cd-150x150.jpg","width":150,"height":150}}}}],"wp:term":[[{"name":"food"}],[]]}}]
                """#,
            findings: [
                "title: _embedded['wp:featuredmedia'][0].alt_text", "tags: _embedded['wp:term']",
                "original: _embedded['wp:featuredmedia'][0].source_url", "total: headers['x-wp-total']",
                "regular: _embedded['wp:featuredmedia'][0].media_details.sizes.medium.source_url, "
                    + "_embedded['wp:featuredmedia'][0].media_details.sizes.medium.width × "
                    + "_embedded['wp:featuredmedia'][0].media_details.sizes.medium.height",
            ]),
        InventedAnswer(
            testDescription: "an Atom feed with links of every kind, markup in titles and a licence",
            request: "https://atoms.example/feed?tag=fern",
            answer: """
                <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Ferns</title>
                <link rel="self" href="https://atoms.example/feed?tag=fern"/>
                <link rel="next" href="https://atoms.example/feed?tag=fern&amp;after=f2"/>
                <entry><id>tag:f1</id><title type="html">Fern &amp;amp; moss</title><link rel="self" href="/feed/1"/>
                <link rel="alternate" href="/1"/><link rel="license" href="https://creativecommons.org/licenses/by/4.0/"/>
                <link rel="enclosure" type="image/jpeg" href="https://cdn.atoms.example/1.jpg"/>
                <published>2024-05-01T10:00:00Z</published><author><name>Anna</name></author></entry>
                <entry><id>tag:f2</id><title type="html">Two &lt;b&gt;ferns&lt;/b&gt;</title><link href="/2"/>
                <link rel="license" href="https://creativecommons.org/licenses/by/4.0/"/>
                <link rel="enclosure" type="image/jpeg" href="https://cdn.atoms.example/2.jpg"/>
                <published>2024-05-02T10:00:00Z</published><author><name>Ben</name></author></entry></feed>
                """,
            findings: ["items: 2 elements entry of Atom", "paging: 'cursor'"]),
        InventedAnswer(
            testDescription: "GraphQL with a connection and a declared cursor",
            request: "curl https://gql.owls.example/ -H 'Content-Type: application/json' --data '"
                + #"{"query":"query ($text: String, $first: Int, $after: String) { owls { nodes { id } } }","#
                + #""variables":{"text":"owl","first":2}}'"#,
            headers: [HTTPField.Name("RateLimit-Policy")!: "90;w=60"],
            answer: #"""
                {"data":{"owls":{"totalCount":5,"pageInfo":{"hasNextPage":true,"endCursor":"b2"},"nodes":[
                 {"id":"b1","name":"Barn owl","image":"https://img.owls.example/1.jpg"},
                 {"id":"b2","name":"Tawny owl","image":"https://img.owls.example/2.jpg"}]}}}
                """#,
            findings: [
                "text: sent as the body's variables.text, here \"owl\"",
                "cursor: sent as the body's variables.after",
                "page size: sent as the body's variables.first, here \"2\"",
                "rate: ['90/1m'], by RateLimit-Policy: 90;w=60",
                "paging: 'cursor', by data.owls.pageInfo.endCursor",
            ]),
        InventedAnswer(
            testDescription: "a web page that loads its pictures late, with a base",
            request: "https://lazy.example/search?q=ivy&page=1",
            answer: """
                <!doctype html><html><head><base href="https://lazy.example/w/"></head><body>
                <a href="1"><img src="data:image/gif;base64,AAAA" data-src="//cdn.lazy.example/1.jpg" alt="Ivy"></a>
                <a href="2"><img src="data:image/gif;base64,AAAA" data-src="//cdn.lazy.example/2.jpg" alt="Old ivy"></a>
                </body></html>
                """,
            findings: ["items: 2 links that hold an image", "paging: 'page'"]),
        InventedAnswer(
            testDescription: "a web page with pictures in several sizes",
            request: "https://sizes.example/search?q=ivy&page=1",
            answer: """
                <!doctype html><html><head><base href="https://sizes.example/w/"></head><body>
                <a href="1"><img src="no.gif" data-src="s/1.jpg" data-srcset="s/1.jpg 300w, //cdn.sizes.example/1.jpg 1200w" alt="Ivy"></a>
                <a href="2"><img src="no.gif" data-src="s/2.jpg" data-srcset="s/2.jpg 300w, //cdn.sizes.example/2.jpg 1200w" alt="Old"></a>
                </body></html>
                """,
            findings: ["items: 2 links that hold an image", "large: the largest of data-srcset", "paging: 'page'"]),
        InventedAnswer(
            testDescription: "a web page whose pictures stand in noscript",
            request: "https://noscript.example/search?q=ivy&page=1",
            answer: """
                <!doctype html><html><body>
                <a href="/1"><img src="data:image/gif;base64,AAAA"><noscript><img src="/i/1.jpg" alt="Ivy"></noscript></a>
                <a href="/2"><img src="data:image/gif;base64,AAAA"><noscript><img src="/i/2.jpg" alt="Two"></noscript></a>
                </body></html>
                """,
            findings: ["items: 2 links that hold an image"]),
        InventedAnswer(
            testDescription: "JSON in a script of a web page",
            request: "https://next.example/search?q=elm&page=1",
            answer: #"""
                <!doctype html><html><body><div id="app"></div><script id="__NEXT_DATA__" type="application/json">
                {"props":{"total":4,"results":[
                 {"id":"e1","title":"Elm","url":"https://next.example/e1","image":"https://cdn.next.example/e1.jpg"},
                 {"id":"e2","title":"Elms","url":"https://next.example/e2","image":"https://cdn.next.example/e2.jpg"}]}}
                </script></body></html>
                """#,
            findings: ["items: 2 in props.results", "original: image", "total: props.total", "paging: 'page'"]),
        InventedAnswer(
            testDescription: "JSON that a script of a web page assigns",
            request: "https://state.example/search?q=elm&page=1",
            answer: #"""
                <!doctype html><html><body><script>window.__STATE__ = {"results":[
                 {"id":"e1","title":"Elm","url":"https://state.example/e1","image":"https://cdn.state.example/e1.jpg"},
                 {"id":"e2","title":"Elms","url":"https://state.example/e2","image":"https://cdn.state.example/e2.jpg"}]};
                </script></body></html>
                """#,
            findings: ["items: 2 in results", "original: image", "paging: 'page'"]),
        InventedAnswer(
            testDescription: "the second page of a listing",
            request: "https://pages.example/search?q=elm&page=2&limit=2",
            answer: #"""
                {"total":4,"results":[
                 {"id":"e3","title":"Elm","image":"https://cdn.pages.example/e3.jpg"},
                 {"id":"e4","title":"Elms","image":"https://cdn.pages.example/e4.jpg"}]}
                """#,
            findings: ["page: sent as ?page=, here \"2\"", "paging: 'page'"]),
        InventedAnswer(
            testDescription: "a crop for other sites beside the image, keywords",
            request: "https://raw.example/api/v1/search?tags=elk&page=1",
            answer: #"""
                {"total":9,"results":[
                 {"id":1,"url":"https://www.raw.example/image/1/photo","pinterestImage":"https://img.raw.example/1.jpg?w=1200&crop=default","image":"https://img.raw.example/1.jpg","metadata":{"title":"Elk","artists":[{"full_name":"Marlow Finch","avatar":{"uri":"https://assets.raw.example/a.jpg"}}],"popular_keywords":["animal"],"licenseUrl":"https://creativecommons.org/publicdomain/zero/1.0/"}},
                 {"id":2,"url":"https://www.raw.example/image/2/photo","pinterestImage":"https://img.raw.example/2.jpg?w=1200&crop=default","image":"https://img.raw.example/2.jpg","metadata":{"title":"Elks","artists":[{"full_name":"Marlow Finch","avatar":{"uri":"https://assets.raw.example/a.jpg"}}],"popular_keywords":["animal"],"licenseUrl":"https://creativecommons.org/publicdomain/zero/1.0/"}}]}
                """#,
            findings: [
                "original: image", "author: metadata.artists[0].full_name", "tags: metadata.popular_keywords",
                "license: metadata.licenseUrl", "page: url",
            ]),
    ]

    /// The draft.
    func draft() throws -> ProviderDraft {
        var exchange = ProviderDraft.Exchange(command: try CurlCommand(parsing: request), content: Array(answer.utf8))
        exchange.headers = headers
        return try ProviderDraft(exchange, id: ProviderID("made")!)
    }
}
