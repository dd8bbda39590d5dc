import Foundation
import Testing

/// A recorded answer of a real service, and where in it stands what a provider needs: what a person finds by reading it.
struct DraftedSample: Sendable, CustomTestStringConvertible {
    let file: String
    let request: String
    /// Contract fields with their places; `original|large` is what stands for the largest file.
    let places: [String: String]

    var testDescription: String { file }

    private init(_ file: String, _ request: String, _ places: KeyValuePairs<String, String>) {
        self.file = file
        self.request = request
        self.places = Dictionary(places.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Where the answers lie; nil to do without.
    static let folder = ProcessInfo.processInfo.environment["IMGSCRIPT_SAMPLES"]

    static let all = [
        DraftedSample(
            "art-institute-chicago/artworks_list_page2.json", "https://api.artic.edu/api/v1/artworks?page=2&limit=20",
            [
                "items": "20 in data", "id": "id", "title": "title", "author": "artist_title",
                "total": "pagination.total", "paging": "'page'",
            ]),
        DraftedSample(
            "cleveland/artworks_trimmed.json",
            "https://openaccess-api.clevelandart.org/api/artworks/?q=cat&limit=100&skip=0",
            [
                "items": "3 in data", "id": "id", "title": "title", "page": "url", "author": "creators[0].description",
                "license": "share_license_status",
                "original": "images.full.url, images.full.width × images.full.height", "total": "info.total",
                "paging": "'offset'",
            ]),
        DraftedSample(
            "deviantart/deviation_objects.json",
            "https://www.deviantart.com/api/v1/oauth2/browse/newest?q=cat&offset=0&limit=10",
            [
                "items": "6 in $", "id": "deviationid", "title": "title", "page": "url",
                "author": "author.username, author.userid", "created": "published_time",
                "original": "content.src, content.width × content.height",
                "thumbnail": "thumbs[0].src, thumbs[0].width × thumbs[0].height", "paging": "'offset'",
            ]),
        DraftedSample(
            "europeana/search_cursor_trimmed.json",
            "https://api.europeana.eu/record/v2/search.json?query=cat&cursor=*&rows=27",
            [
                "items": "4 in items", "id": "id", "title": "title[0]", "page": "guid", "license": "rights[0]",
                "thumbnail": "edmPreview[0]", "total": "totalResults", "paging": "'cursor', by nextCursor",
            ]),
        DraftedSample(
            "flickr/flickr.photos.search_extras.json",
            "https://api.flickr.com/services/rest/?text=cat&per_page=100&page=1",
            [
                "items": "30 in photos.photo", "id": "id", "title": "title", "tags": "tags", "created": "datetaken",
                "large": "url_l, width_l × height_l", "thumbnail": "url_t, width_t × height_t", "total": "photos.total",
                "paging": "'page'",
            ]),
        DraftedSample(
            "giphy/search_trimmed.json", "https://api.giphy.com/v1/gifs/search?q=cat&limit=25&offset=0",
            [
                "items": "4 in data", "id": "id", "page": "url", "author": "username",
                "original": "images.original.url, images.original.width × images.original.height",
                "total": "pagination.total_count", "paging": "'offset'",
            ]),
        DraftedSample(
            "google-cse/search_image_cat.json", "https://www.googleapis.com/customsearch/v1?q=cat&num=10&start=1",
            [
                "items": "10 in items", "title": "title", "page": "image.contextLink",
                "original": "link, image.width × image.height",
                "thumbnail": "image.thumbnailLink, image.thumbnailWidth × image.thumbnailHeight",
                "total": "searchInformation.totalResults", "paging": "'offset'",
            ]),
        DraftedSample(
            "imgur/gallery_trimmed.json", "https://api.imgur.com/3/gallery/search/time/all/0?q=cat",
            [
                "items": "5 in data", "id": "id", "title": "title", "created": "datetime",
                "original": "images[0].link, images[0].width × images[0].height",
            ]),
        DraftedSample(
            "inaturalist/observations_page1.json",
            "https://api.inaturalist.org/v1/observations?q=cat&per_page=30&page=1",
            [
                "items": "1 in results", "id": "id", "page": "uri", "author": "user.login, user.id",
                "license": "license_code",
                "original": "photos[0].url, photos[0].original_dimensions.width × photos[0].original_dimensions.height",
                "total": "total_results", "paging": "'page'",
            ]),
        DraftedSample(
            "internet-archive/advancedsearch_trimmed.json",
            "https://archive.org/advancedsearch.php?q=cat&rows=50&page=1",
            [
                "items": "10 in response.docs", "id": "identifier", "title": "title", "tags": "subject",
                "total": "response.numFound", "paging": "'page'",
            ]),
        DraftedSample(
            "internet-archive/scrape_cursor.json", "https://archive.org/services/search/v1/scrape?q=cat&count=100",
            ["items": "100 in items", "id": "identifier", "total": "total", "paging": "'cursor', by cursor"]),
        DraftedSample(
            "itunes/search_movie_10results.json", "https://itunes.apple.com/search?term=star&limit=10",
            [
                "items": "10 in results", "title": "trackName", "page": "trackViewUrl",
                "author": "artistName, artistId, artistViewUrl", "created": "releaseDate", "thumbnail": "artworkUrl100",
                "paging": "'none'",
            ]),
        DraftedSample(
            "lorem-picsum/list_trimmed.json", "https://picsum.photos/v2/list?page=1&limit=30",
            [
                "items": "25 in $", "id": "id", "page": "url", "author": "author",
                "original": "download_url, width × height", "paging": "'page'",
            ]),
        DraftedSample(
            "mastodon/status_with_media.json", "https://mastodon.social/api/v1/statuses/1",
            ["id": "id", "original": "url, meta.original.width × meta.original.height", "thumbnail": "preview_url"]),
        DraftedSample(
            "met/object_with_additional_images.json",
            "https://collectionapi.metmuseum.org/public/collection/v1/objects/1",
            [
                "items": "1 in $", "id": "objectID", "title": "title", "page": "objectURL", "tags": "tags",
                "author": "artistDisplayName", "original": "primaryImage", "small": "primaryImageSmall",
            ]),
        DraftedSample(
            "moebooru/post_index_trimmed.json", "https://yande.re/post/index.json?tags=cat&limit=20&page=1",
            [
                "items": "2 in $", "id": "id", "tags": "tags", "author": "author",
                "original": "file_url, width × height", "regular": "sample_url, sample_width × sample_height",
                "thumbnail": "preview_url, preview_width × preview_height", "paging": "'page'",
            ]),
        DraftedSample(
            "nappy/images_page1.json", "https://www.nappy.co/api/images?page=1",
            [
                "items": "10 in images", "id": "foreign_identifier", "title": "title", "page": "foreign_landing_url",
                "tags": "tags", "author": "creator, creator_url", "license": "license",
                "original": "url, width × height", "total": "total_results", "paging": "'page'",
            ]),
        DraftedSample(
            "nasa-images/search_stars_page1_trimmed.json",
            "https://images-api.nasa.gov/search?q=stars&media_type=image",
            [
                "items": "12 in collection.items", "id": "data[0].nasa_id", "title": "data[0].title",
                "description": "data[0].description", "tags": "data[0].keywords", "created": "data[0].date_created",
                "thumbnail": "links[0].href", "total": "collection.metadata.total_hits",
                "paging": "'page', by collection.links",
            ]),
        DraftedSample(
            "openverse/search_birds_trimmed.json", "https://api.openverse.org/v1/images/?q=birds&page_size=20&page=1",
            [
                "items": "3 in results", "id": "id", "title": "title", "page": "foreign_landing_url", "tags": "tags",
                "author": "creator, creator_url", "license": "license_url", "original": "url", "thumbnail": "thumbnail",
                "total": "result_count", "paging": "'page'",
            ]),
        DraftedSample(
            "pexels/search_nature_per_page1.json", "https://api.pexels.com/v1/search?query=nature&per_page=1",
            [
                "items": "1 in photos", "id": "id", "page": "url",
                "author": "photographer, photographer_id, photographer_url", "original": "src.original, width × height",
                "large": "src.large2x", "small": "src.small", "thumbnail": "src.tiny", "total": "total_results",
                "paging": "'page', by next_page",
            ]),
        DraftedSample(
            "philomena/search_images_trimmed.json",
            "https://derpibooru.org/api/v1/json/search/images?q=cat&page=1&per_page=15",
            [
                "items": "2 in images", "id": "id", "tags": "tags", "created": "created_at",
                "original": "representations.full, width × height", "thumbnail": "representations.thumb",
                "total": "total", "paging": "'page'",
            ]),
        DraftedSample(
            "pixabay/search_page1_20hits_capped500.json",
            "https://pixabay.com/api/?q=yellow+flowers&page=1&per_page=20",
            [
                "items": "20 in hits", "id": "id", "page": "pageURL", "tags": "tags", "author": "user, user_id",
                "large": "largeImageURL, imageWidth × imageHeight",
                "regular": "webformatURL, webformatWidth × webformatHeight",
                "thumbnail": "previewURL, previewWidth × previewHeight", "total": "totalHits", "paging": "'page'",
            ]),
        DraftedSample(
            "pixabay/doc_example_full_access.json", "https://pixabay.com/api/?q=yellow+flowers",
            [
                "items": "1 in hits", "id": "id", "original": "imageURL, imageWidth × imageHeight",
                "large": "largeImageURL", "regular": "webformatURL, webformatWidth × webformatHeight",
                "thumbnail": "previewURL, previewWidth × previewHeight",
            ]),
        DraftedSample(
            "reddit/listing_hot_trimmed.json", "https://oauth.reddit.com/r/pics/hot?limit=100",
            [
                "items": "5 in data.children", "id": "data.id", "title": "data.title", "author": "data.author",
                "created": "data.created_utc", "rating": "data.over_18", "original": "data.url",
                "thumbnail": "data.thumbnail", "paging": "'cursor', by data.after",
            ]),
        DraftedSample(
            "rijksmuseum/collection_search_old_api.json",
            "https://www.rijksmuseum.nl/api/en/collection?q=cat&p=1&ps=10",
            [
                "items": "10 in artObjects", "id": "id", "title": "title", "page": "links.web",
                "author": "principalOrFirstMaker", "original|regular": "webImage.url, webImage.width × webImage.height",
                "total": "count", "paging": "'page'",
            ]),
        DraftedSample(
            "science-museum/search_objects.json", "https://collection.sciencemuseumgroup.org.uk/search/objects?q=cat",
            ["items": "1 in data", "id": "id", "paging": "'page', by links.next"]),
        DraftedSample(
            "shutterstock/images_search_trimmed.json",
            "https://api.shutterstock.com/v2/images/search?query=cat&page=1&per_page=20",
            ["items": "5 in data", "id": "id", "title": "description", "total": "total_count", "paging": "'page'"]),
        DraftedSample(
            "smithsonian/search_10rows.json", "https://api.si.edu/openaccess/api/v1.0/search?q=cat&start=0&rows=10",
            [
                "items": "10 in response.rows", "id": "id", "title": "title", "total": "response.rowCount",
                "thumbnail": "content.descriptiveNonRepeating.online_media.media[0].thumbnail", "paging": "'offset'",
            ]),
        DraftedSample(
            "stocksnap/load_photos_page1_trimmed.json", "https://stocksnap.io/api/load-photos/date/desc/1",
            [
                "items": "6 in results", "id": "img_id", "tags": "tags",
                "author": "author_name, author_id, author_profile", "paging": "'page', by nextPage",
            ]),
        DraftedSample(
            "unsplash/search_photos_paris_page1.json",
            "https://api.unsplash.com/search/photos?query=paris&page=1&per_page=10",
            [
                "items": "10 in results", "id": "id", "title": "description, alt_description", "page": "links.html",
                "author": "user.name, user.id, user.links.html", "created": "created_at",
                "original": "urls.raw, width × height", "large": "urls.full", "regular": "urls.regular",
                "small": "urls.small", "thumbnail": "urls.thumb", "total": "total", "paging": "'page'",
            ]),
        DraftedSample(
            "unsplash/photos_list_latest_page1.json", "https://api.unsplash.com/photos?page=1&per_page=10",
            [
                "items": "10 in $", "id": "id", "title": "description, alt_description", "page": "links.html",
                "original": "urls.raw, width × height", "thumbnail": "urls.thumb", "paging": "'page'",
            ]),
        DraftedSample(
            "victoria-albert/objects_search_trimmed.json",
            "https://api.vam.ac.uk/v2/objects/search?q=cat&page=1&page_size=15",
            [
                "items": "5 in records", "id": "systemNumber", "title": "_primaryTitle", "author": "_primaryMaker.name",
                "thumbnail": "_images._primary_thumbnail", "total": "info.record_count", "paging": "'page'",
            ]),
        DraftedSample(
            "wikimedia-commons/query_allimages_batch1_part1.json",
            "https://commons.wikimedia.org/w/api.php?action=query&generator=allimages&gailimit=5&format=json",
            [
                "items": "9 in query.pages", "id": "pageid", "title": "title", "page": "imageinfo[0].descriptionurl",
                "license": "imageinfo[0].extmetadata.LicenseUrl.value",
                "original": "imageinfo[0].url, imageinfo[0].width × imageinfo[0].height",
                "paging": "'cursor', by continue",
            ]),
        DraftedSample(
            "anilist/media_1_fields_trimmed.json", "https://graphql.anilist.co/",
            ["id": "Media.id", "title": "Media.title.romaji", "original|large": "Media.coverImage.extraLarge"]),
    ]
}
