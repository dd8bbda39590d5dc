/// The pages that `SelectorCase` searches.
enum SelectorPage: String, Sendable {
    case gallery, feed

    var isHTML: Bool { self == .gallery }

    var markup: String {
        switch self {
        case .gallery:
            #"""
            <html id="html"><head id="head"><title id="title">Gallery</title></head><body id="body" class="page dark">
            <div id="nav" class="menu"><a id="n1" href="/">Home</a><a id="n2" href="/new" class="active link">New</a></div>
            <div id="main" class="content wide" lang="en-GB">
            <h1 id="h1">Pictures</h1>
            <ul id="list" class="thumbs">
            <li id="i1" class="item" data-kind="photo"><a id="a1" href="/photo/1"><img id="p1" src="/t/1.jpg" alt="A cat"></a></li>
            <li id="i2" class="item featured" data-kind="Photo art"><a id="a2" href="/photo/2"><img id="p2" src="/t/2.png" alt=""></a></li>
            <li id="i3" class="item" data-kind="drawing"><a id="a3" href="https://other.example/3"><img id="p3" src="/t/3.JPG"></a><b id="b3">new</b></li>
            <li id="i4" class="items" data-kind="drawing-pencil"><span id="s4"></span></li>
            <li id="i5"><p id="e5"><!-- nothing --></p><p id="e6"> </p></li>
            </ul>
            <p id="t1">It's "one"</p><em id="m1">x</em><p id="t2" title="It's &quot;quoted&quot;">two</p><p id="t3" class="a.b" title="">three</p>
            <input id="q" name="tags[]" disabled><svg id="svg" viewBox="0 0 1 1"><use id="use" xlink:href="#x"></use></svg>
            <x-card id="card">card</x-card>
            </div></body></html>
            """#
        case .feed:
            #"""
            <?xml version="1.0"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xmlns:xlink="http://www.w3.org/1999/xlink" id="feed">
            <title id="t">Feed</title>
            <entry id="e1"><title id="t1">One</title><link id="l1" rel="alternate" href="/1"/><media:content id="c1" url="/1.jpg" medium="image"/></entry>
            <entry id="e2"><title id="t2">Two</title><media:title id="mt2">Two</media:title><media:group id="g2"><media:content id="c2" url="/2.mp4" medium="video"/><media:content id="c3" url="/2.jpg" medium="image"/></media:group></entry>
            <Entry id="E3" größe="x" xlink:href="/3"/>
            <plain xmlns="" id="pl"/>
            </feed>
            """#
        }
    }
}
