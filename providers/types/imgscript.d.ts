/**
 * imgscript provider contract, version 1.
 *
 * A provider file is CommonJS: `module.exports = { … }`, evaluated in strict mode. It never does I/O, holds no secret
 * and keeps no state between calls: it says which request it wants, and reads the response.
 *
 *     /** @type {import('imgscript').Provider} *\/
 *     module.exports = { contract: 1, id: 'example', … };
 */
declare module 'imgscript' {
  // ── The provider ────────────────────────────────────────────────────────────────────────────────────────────────

  export interface Provider {
    /** The version of this contract. */
    contract: 1;
    /** The name that users type: a–z, 0–9 and `-`. The same as the file's name. */
    id: string;
    /** The display name. */
    name: string;
    /** The file's own version, semver. */
    version: string;
    /** The source's front page. */
    homepage?: string;
    /** One sentence about what is to be found there. */
    summary?: string;
    /** What kind of source it is, by which lists group it. */
    category?: 'museums' | 'photographs' | 'science' | 'art' | 'stock' | 'boards' | 'media' | 'web';
    /** Most of its images are for adults: lists leave it out until somebody asks for it. */
    adult?: boolean;
    /** The page where faults of this file are reported; without it, the pack's is named. */
    bugs?: string;
    /** For a source that ends, or that another provider serves: since when, when it ends, and what to use instead. */
    deprecated?: { /** `2026-05-01` */ date: string; /** `2027-01-01` */ ends?: string; note: string };
    /** What relative request URLs are resolved against. */
    base?: string;
    /** For software that runs on many servers: the one used when the user names none, and what may be chosen. */
    instance?: { default?: string; help?: string };
    /**
     * The only places requests, and credentials, may go: `api.example.com`, `*.example.com`, `{instance}`. https is
     * meant; `http://example.com` admits plain http too.
     */
    hosts: string[];
    /** The only places image bytes may come from. `*` where the source links to images all over the web. */
    mediaHosts: string[];
    /**
     * The methods of requests that carry the user's key, besides GET and HEAD. Users see them before they install a
     * pack, which may send no others.
     * @default ['POST']
     */
    methods?: ('GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD')[];
    /** Ways to authenticate, in order of preference; the first whose secrets the user has is used. */
    auth?: Auth | Auth[];
    /** Page sizes, how deep a listing may go, and how many requests the source allows. */
    limits?: Limits;
    /** What the source asks of those who use it: please read them before you write the file. */
    terms?: Terms;
    /**
     * How pages follow one another. With 'page' (from 1), 'page0' (from 0) and 'offset' the host counts and may fetch
     * pages side by side; with 'cursor' each page's `next` leads on; with 'none' there is one page.
     * @default 'page'
     */
    paging?: 'page' | 'page0' | 'offset' | 'cursor' | 'none';
    /**
     * Sees every response before `parse` or the generator does. Call `fail` to turn a service's own way of failing
     * (an error inside a 200, a 403 that means "rate limit") into the right kind. Without it, or when it returns, a
     * status other than 2xx and `allowStatus` is an error by its number.
     */
    check?: (response: Response) => void;

    /** Items that match a text. */
    search?: Operation<[query: Query], Page>;
    /** A list that needs no text: recent, popular, editorial; choose between several with a parameter. */
    feed?: Operation<[query: Query], Page>;
    /** Everything the source says about one item. */
    details?: Operation<[item: ItemReference], Item>;
    /** The items of an album, a gallery or a user: `item.type` is 'collection'. */
    collection?: Operation<[item: ItemReference, query: Query], Page>;
    /** Items whose image looks like `q.image`, the most similar first: a reverse search. */
    similar?: Operation<[query: Query & { image: SearchImage }], Page>;
    /** The last request before a file is fetched: gives the final URL, or reports the use as the terms ask. */
    download?: Operation<[media: Media, item: Item], Download | void>;
    /** A login or a guest token: the host keeps the values and puts them where `auth` says `{session.NAME}`. */
    session?: Operation<[], SessionValues>;
    /** Page URLs and short forms that lead to an item. */
    match?: Match[];
  }

  /**
   * An operation is a pair of functions, or a generator that yields requests. The function of a pair gets the
   * operation's arguments; `parse` gets the response first. In a generator `yield request` gives its response and
   * `yield [requests]` a list of responses in the same order, fetched side by side.
   */
  export type Operation<Arguments extends unknown[], Result> =
    | (OperationOptions & {
        /** Says which request is wanted. Pure: the same arguments give the same request. */
        request: (...args: Arguments) => Request;
        /** Reads the response. */
        parse: (response: Response, ...args: Arguments) => Result;
      })
    | (OperationOptions & {
        /** The general form beside what is said about it. */
        run: (...args: Arguments) => Generator<Request | Request[], Result, any>;
      })
    | ((...args: Arguments) => Generator<Request | Request[], Result, any>);

  /** What an operation says beside its functions. */
  export interface OperationOptions {
    /** What users may add with `--param`, by name; it comes as `q.params`. */
    params?: Record<string, Parameter>;
    /** Whether it lists what lies around `q.near`. Without it `--near` is an error. */
    near?: boolean;
    /** For `details`: whether items have files there that lists lack. A download then asks for what is not listed. */
    media?: boolean;
    /**
     * For listings: whether items come in the order of `created`, the newest first; by values of parameters where only these
     * give that order: `{ sort: ['newest'] }`, with `''` for one that is not given. With `--since` the host then stops at the
     * first page that is older.
     */
    newestFirst?: boolean | Record<string, string[]>;
    /** For `similar`: what it takes. An address is fetched by the host where files alone are taken. @default ['file'] */
    image?: ('url' | 'file')[];
  }

  /** A parameter that only this provider has; the user gives it as `--param name=value`. */
  export interface Parameter {
    /** 'list' is several of `values`, or of anything, given with commas; scripts get an array. */
    type: 'choice' | 'list' | 'string' | 'integer' | 'number' | 'boolean';
    /** What may be chosen, for 'choice' and 'list'. */
    values?: string[];
    /** The smallest number, for 'integer' and 'number'. */
    min?: number;
    /** The largest number, for 'integer' and 'number'. */
    max?: number;
    /** For 'list': scripts get one text with this between the values, not an array. */
    join?: string;
    /** Used, and shown, when the user gives none. */
    default?: string | number | boolean | string[];
    /**
     * The condition that the source can check: the user's `--since` and so on is passed in this parameter when it is not
     * given itself. A time is passed as `2026-05-01T00:00:00Z`, to an 'integer' as the year, a shape as `landscape`,
     * `portrait` or `square`, and 'no-ai' as `true`, to a 'boolean'. The host checks every item too.
     */
    filter?:
      | 'tag' | 'exclude-tag' | 'since' | 'until' | 'min-width' | 'min-height' | 'min-pixels' | 'aspect' | 'license'
      | 'media-format' | 'no-ai';
    /**
     * The parameter's value for each value of the condition, where the source has other words:
     * `{ landscape: 'horizontal', portrait: 'vertical' }`, `{ 'cc-by': 'by' }`. For numbers the least from which a value is
     * right: `{ 4000000: 'small' }`. What is not named is not sent.
     */
    filterValues?: Record<string, string | number | boolean | string[]>;
    /** One sentence for the help text. */
    help?: string;
  }

  /**
   * Where the host puts the user's secrets. They never enter the script. In templates `{key}`, `{user}` … stand for
   * the user's secrets (each becomes `IMGSCRIPT_<PROVIDER>_<NAME>` and `imgscript auth set`), `{session.token}` for
   * a value that `session` gave.
   */
  export type Auth = {
    /** Whether requests may go without; a key then only raises limits. */
    optional?: boolean;
    /** The page where people get a key. */
    help?: string;
    /** Header lines that are sent besides, as templates: `{ 'User-Agent': 'imgscript - {user}' }`. */
    headers?: Record<string, string>;
    /**
     * Fields that are added to the form or the JSON object of what `session` sends, as templates:
     * `{ username: '{user}', password: '{password}' }`. Only a login's requests that are not GET get them.
     */
    body?: Record<string, string>;
    /** What holds in place of the provider's `limits` while this way is used: a key often raises them. */
    limits?: Limits;
  } & (
    | { type: 'query' | 'header' | 'cookie'; name: string; /** @default '{key}' */ template?: string }
    | { type: 'query' | 'header' | 'cookie'; /** Several names with their templates. */ fields: Record<string, string> }
    | { type: 'basic'; /** @default '{user}' */ user?: string; /** @default '{password}' */ password?: string }
    | { type: 'bearer'; /** @default '{key}' */ template?: string }
    | {
        /** The cookies of the user's login in a browser, those of `hosts`. */
        type: 'cookies';
        /** The names of cookies that a login has. */
        needs?: string[];
      }
    | {
        /** The cookies that the answers to `session`, and later ones, set: a login of the provider's own. */
        type: 'session';
      }
    | {
        /** With `authorize` or `device` the tokens of a user's login, `imgscript auth login`; else those of the client. */
        type: 'oauth2';
        /** Where tokens are issued, for `{client_id}` and `{client_secret}`. */
        token: string;
        /** What is asked for. */
        scope?: string;
        /** The page where users log in and agree; it gets a code challenge (RFC 7636) and a state. */
        authorize?: string;
        /** Where codes for another device are issued (RFC 8628). */
        device?: string;
      }
    | {
        /** OAuth 1.0a with HMAC-SHA1: all three URLs for a user's login, or none to sign for the client alone. */
        type: 'oauth1';
        /** Where temporary credentials are issued. */
        request?: string;
        /** The page where users log in and agree. */
        authorize?: string;
        /** Where the token is issued. */
        token?: string;
      }
    | {
        /** A signature of every request, made by the host with a secret. */
        type: 'hmac';
        /** @default 'sha256' */
        hash?: 'md5' | 'sha1' | 'sha256' | 'sha512';
        /** The template of the secret. @default '{secret}' */
        key?: string;
        /**
         * The template of the text that is signed. Besides secrets it may have `{request.method}`, `scheme`, `host`,
         * `path`, `query`, `sortedQuery`, `target` (path and query), `sortedTarget`, `url`, `body`, `bodyDigest`,
         * `timestamp` (seconds), `milliseconds`, `date` (ISO 8601) and `nonce`.
         */
        sign: string;
        /** @default 'hex' */
        encoding?: 'hex' | 'base64' | 'base64url';
        /** Pairs for the query: those without `{signature}` are added before it is made, and so are part of it. */
        query?: Record<string, string>;
      }
  );

  export interface Limits {
    /** Items per page; `q.limit` is always within. */
    pageSize?: { min?: number; max: number; default?: number };
    /** How many items a listing lets anyone reach, whatever `total` claims. */
    reachable?: number;
    /** How many characters a search text may have. */
    text?: { min?: number; max?: number };
    /** Requests in a time, all of which hold: `['100/60s', '5000/1d']`; s, m, h, d. */
    rate?: string[];
    /** How many requests may be under way at once; 1 for a source that wants one after another. */
    concurrent?: number;
    /** The header that says when the window ends: seconds left, a Unix time, or an ISO 8601 time. */
    reset?: { header: string; unit: 'seconds' | 'unix' | 'iso' };
  }

  export interface Terms {
    /** URL of the terms. */
    url?: string;
    /** The kind of licence items carry: `Pixabay Content License`, `Creative Commons`. */
    license?: string;
    /** How long a response has to be cached: `24h`; s, m, h, d. */
    cacheAtLeast?: string;
    /** How long an answer may be kept at most, where the terms say so: `24h`. After that it is neither used nor kept. */
    cacheAtMost?: string;
    /** Whether images may be shown from the source's own servers. */
    hotlink?: boolean;
    /** The line to show with an image: `Photo by {author.name} on Example`. */
    attribution?: string;
    /** A sentence that the terms oblige applications to show, once: `This product uses the … API but …` */
    notice?: string;
  }

  /**
   * A page URL or short form and the item it stands for. `{name}` stands for part of one path segment or query
   * value, `*` for anything within one. Other query values and fragments of the URL are passed over.
   *
   *     { pattern: 'https://pixabay.com/*\/{slug}-{id}/', item: { id: '{id}' } }
   *     { pattern: '{instance}/posts/{id}', item: { id: '{id}' } }
   *     { pattern: 'user:{name}', item: { id: 'user:{name}', type: 'collection' } }
   */
  export interface Match {
    /** `https://pixabay.com/*\/{slug}-{id}/`, or a short form such as `user:{name}`; a list where several do. */
    pattern: string | string[];
    /** What it stands for; its `id` is a template over the pattern's parts. */
    item: { id: string; type?: 'image' | 'collection' };
  }

  // ── What goes in ────────────────────────────────────────────────────────────────────────────────────────────────

  /** The query of `search`, `feed` and `collection`. */
  export interface Query {
    /** The words searched for; empty in a feed. */
    text: string;
    /** The page wanted, from 1, or from 0 with `paging: 'page0'`. */
    page: number;
    /** The index of the first item wanted, from 0. */
    offset: number;
    /** Items per page, within `limits.pageSize`. */
    limit: number;
    /** What the last page gave as `next`; undefined on the first. */
    cursor?: any;
    /** The provider's own parameters: those the user gave, and those with a default. */
    params: Record<string, any>;
    /** The point to search around, where the operation says `near: true` and the user named one. */
    near?: { lat: number; lon: number };
    /** For `similar`: the image; a request uploads its file with `upload`. Its bytes never enter the script. */
    image?: SearchImage;
    /** The server the user chose, for a provider with `instance`: `https://mastodon.social`. */
    instance?: string;
  }

  /** An image that others are compared with. */
  export interface SearchImage {
    /** Its address; undefined for a file. */
    url?: string;
    /** The file's name: `fox.jpg`. */
    name: string;
    /** Its format, as `Media.format` has it. */
    format?: string;
    /** The file's length; undefined for an address that was not fetched. */
    bytes?: number;
  }

  /** An item as far as it is known: from a listing, or only a typed id. */
  export type ItemReference = Omit<Partial<Item>, 'id'> & { id: string };

  // ── Across the wire ─────────────────────────────────────────────────────────────────────────────────────────────

  export interface Request {
    /** Absolute, or relative to the instance or `base`. */
    url: string;
    /** @default 'GET' */
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
    /** Encoded by the host; an array repeats the name, null and undefined drop it. */
    query?: Record<string, string | number | boolean | null | undefined | (string | number | boolean)[]>;
    /** Header lines by name; null drops one. Those of the connection, such as `Host` and `Cookie`, are set by the host. */
    headers?: Record<string, string | null | undefined>;
    /** Sent as `application/json`. */
    json?: any;
    /** Sent as `application/x-www-form-urlencoded`. */
    form?: Record<string, string | number | boolean | null | undefined | (string | number | boolean)[]>;
    /** Sent as it is; say its type in `headers`. */
    body?: string;
    /** In `similar`: the field in which the image's file is sent, as `multipart/form-data` with the fields of `form`. */
    upload?: string;
    /** @default 'json' */
    accept?: 'json' | 'html' | 'xml' | 'text';
    /** false sends no credentials, and needs none. */
    auth?: false;
    /** Statuses that are answers here, not errors. */
    allowStatus?: number[];
  }

  export interface Response {
    /** The status, such as 200. */
    readonly status: number;
    /** Whether the status is 2xx. */
    readonly ok: boolean;
    /** The URL that answered, after redirects. */
    readonly url: string;
    /** By lower-case name; repeated lines are joined with `, `. */
    readonly headers: Readonly<Record<string, string | undefined>>;
    /** The `Link` header by relation, absolute: `links.next`. */
    readonly links: Readonly<Record<string, string | undefined>>;
    /** The body as text, decoded by its charset. */
    readonly text: string;
    /** The body parsed as JSON. Anything else, such as an HTML page, is a 'changed' error. */
    readonly json: any;
    /** The body parsed as HTML. */
    readonly html: Document;
    /** The body parsed as XML. */
    readonly xml: Document;
  }

  // ── What comes out ──────────────────────────────────────────────────────────────────────────────────────────────

  export interface Page {
    /** In the order of the source. */
    items: Item[];
    /** How many items the source says there are. */
    total?: number | null;
    /**
     * How many entries the source's page had, where `items` leaves some of them out. The host counts by what came: without
     * it, entries that were left out count as not received.
     */
    received?: number | null;
    /**
     * Any JSON value, handed back as `q.cursor`; null at the end. With paging 'page', 'page0' and 'offset' it may be
     * left out, and the host counts. Empty `items` with a `next` mean: go on.
     */
    next?: any;
  }

  /** A field the source does not give is absent (null counts as absent). Fields not named here go to `extra`. */
  export interface Item {
    /** Unique within the provider. A number reaches the host as its digits, and other operations as a string. */
    id: string | number;
    /**
     * What it shows; 'collection' for albums, galleries and users, whose items `collection` lists.
     * @default 'image'
     */
    type?: 'image' | 'animation' | 'video' | 'collection' | null;
    /** Its name, as plain text. */
    title?: string | null;
    /** What is said about it, as plain text; see `plainText`. */
    description?: string | null;
    /** What is to be seen, for those who cannot see it: alternative text. */
    alt?: string | null;
    /** The web page of the item. */
    page?: string | null;
    /** Words it is filed under. */
    tags?: string[] | null;
    /** Who made it; the first of several. */
    author?: Author | null;
    /** All who made it, where there are several. */
    authors?: Author[] | null;
    /** The line by which the source wants this item credited. */
    credit?: string | null;
    /** What may be done with it; see `license`. */
    license?: License | null;
    /** An ISO 8601 date, or date and time; see `parseDate`. The beginning, where a time is longer. */
    created?: string | null;
    /** The end of a time that is longer: `1890` with `created: '1880'`. */
    createdUntil?: string | null;
    /** Where it was made. */
    location?: Location | null;
    /** What it was taken with. */
    camera?: Camera | null;
    /** `#rrggbb` */
    colors?: string[] | null;
    /** Counts: views, likes, downloads, comments. */
    stats?: Record<string, number | null | undefined> | null;
    /**
     * The files to be had, in all their sizes; may be empty where only `details` knows them. Where an item has several,
     * such as a post of ten images, `file` says which one an entry is a size of.
     */
    media: Media[];
    /** How far it may offend, as the source rates it. */
    rating?: 'safe' | 'sensitive' | 'questionable' | 'explicit' | null;
    /** Whether a model generated the image, as the source says; absent where it does not say. */
    aiGenerated?: boolean | null;
    /** What the source says beyond this contract. */
    extra?: Record<string, any> | null;
  }

  export interface Author {
    /** Their display name; not empty. */
    name: string;
    /** What the source calls them. */
    id?: string | number | null;
    /** The page about them. */
    url?: string | null;
  }

  export interface License {
    /** Short and stable: `cc-by-4.0`, `cc0-1.0`, `pdm-1.0`, `unsplash`. */
    id: string;
    /** Its display name: `CC BY 4.0`. */
    name?: string | null;
    /** Its text. */
    url?: string | null;
  }

  export interface Location {
    /** The place as the source writes it. */
    name?: string | null;
    /** The city or town. */
    city?: string | null;
    /** The country. */
    country?: string | null;
    /** Degrees north, from -90 to 90. */
    latitude?: number | null;
    /** Degrees east, from -180 to 180. */
    longitude?: number | null;
  }

  export interface Camera {
    /** `Canon` */
    make?: string | null;
    /** `EOS R5` */
    model?: string | null;
    /** `RF 50mm F1.2 L USM` */
    lens?: string | null;
    /** Seconds as written: `1/250`. */
    exposure?: string | null;
    /** The f-number as written: `4.5`. */
    aperture?: string | null;
    /** Millimetres as written. */
    focalLength?: string | null;
    /** The sensitivity, a whole number. */
    iso?: number | null;
  }

  export interface Media {
    /** What the file is for: 'original' is the best there is, 'thumbnail' the smallest. */
    role: 'original' | 'large' | 'regular' | 'small' | 'thumbnail';
    /** Absolute. */
    url: string;
    /**
     * Which of the item's files it is a size of, from 1.
     * @default 1
     */
    file?: number | null;
    /** What it holds, where `format` and the end of `url` do not say it. Videos and audio are only fetched when asked for. */
    type?: 'image' | 'animation' | 'video' | 'audio' | null;
    /** Of an archive of images, such as an ugoira: its images in the order in which they are shown. */
    frames?: Frame[] | null;
    /** Pixels, a whole number above 0. */
    width?: number | null;
    /** Pixels, a whole number above 0. */
    height?: number | null;
    /** The file's length. */
    bytes?: number | null;
    /** `jpeg`, `png`, `webp`, `gif`, `svg`, `tiff`, `mp4`, `webm`, `zip` … */
    format?: string | null;
    /** When the URL stops working, an ISO 8601 date and time. */
    expires?: string | null;
    /** Whether there is a watermark in it, as in previews of stock agencies. */
    watermarked?: boolean | null;
    /** Headers the file's server asks for, such as `Referer`. */
    headers?: Record<string, string> | null;
  }

  /** One image of an archive that is an animation. */
  export interface Frame {
    /** Its name in the archive. */
    file: string;
    /** How long it is shown, in milliseconds. */
    delay: number;
  }

  /** What `download` gives: the file to fetch in place of `media.url`. */
  export interface Download {
    /** Absolute, and on one of `mediaHosts`. */
    url: string;
    /** Headers that the file's server requires. */
    headers?: Record<string, string> | null;
  }

  /** What `session` gives. */
  export interface SessionValues {
    /** By name, as `{session.NAME}` in `auth` has it. */
    values: Record<string, string>;
    /** Seconds until a new one is needed. */
    expiresIn?: number | null;
  }

  // ── Helpers: require('imgscript') ───────────────────────────────────────────────────────────────────────────────

  /** The kinds of errors that the host knows how to treat. */
  export type FailureKind = 'auth' | 'rate' | 'notFound' | 'blocked' | 'unsupported' | 'changed';

  /** Ends the operation with an error; a number is an HTTP status, for the kind that it has as the status of a response. */
  export function fail(kind: FailureKind | number, message: string): never;

  /** A digest of the text's UTF-8 bytes; with `key` an HMAC. */
  export function hash(
    algorithm: 'md5' | 'sha1' | 'sha256',
    text: string,
    options?: { key?: string; encoding?: 'hex' | 'base64' },
  ): string;

  export const base64: {
    /** The base 64 of the text's UTF-8 bytes. */
    encode(text: string): string;
    /** Also takes the URL-safe alphabet; the bytes are read as UTF-8. */
    decode(text: string): string;
  };

  /** `&amp;`, `&#39;`, `&eacute;` … as characters, all that HTML names; `&copy=` stays, since it may be a part of an address. */
  export function decodeEntities(text: string): string;

  /** HTML text parsed as a document: `parseHTML(fragment).querySelector('a').href`. */
  export function parseHTML(text: string): Document;

  /** The text of HTML: a line for each paragraph, list entry and break; undefined where nothing is left. */
  export function plainText(html: string | null | undefined): string | undefined;

  /**
   * The licence behind a Creative Commons or RightsStatements URL, or a code such as `CC BY-SA 4.0`, `by-nc`, `cc0`,
   * `pdm`; undefined for any other. A version that the code lacks may stand beside it: `license('by', '2.0')`.
   */
  export function license(value: string | null | undefined, version?: string | number | null): License | undefined;

  /**
   * A file's format as `Media.format` has it, from a media type, a URL, a name or an ending: `jpeg` for `image/jpeg`,
   * `https://example.com/a.JPG?w=2`, `a.jpg`, `jpg`; undefined where no format of pictures is named.
   */
  export function fileFormat(value: string | null | undefined): string | undefined;

  /**
   * The sides of a smaller version that keeps the picture's shape within a frame, of which one side may be left open.
   * Nothing grows. Without sides where the size is not known: `{ role: 'small', url, ...fit(photo, { width: 400 }) }`.
   */
  export function fit(
    size: { width?: number | string | null; height?: number | string | null } | null | undefined,
    frame: { width?: number; height?: number },
  ): { width?: number; height?: number };

  /**
   * The largest file that an `<img>` names: the widest of its `srcset` and of the `<picture>` around it, or the densest,
   * else its `src`. A `srcset` may also be given as text, with the address that it is relative to.
   * `{ role: 'large', ...largest(image) }`; undefined where none is named.
   */
  export function largest(
    image: Element | string | null | undefined, base?: string,
  ): { url: string; width?: number } | undefined;

  /**
   * A date in the form `Item.created` wants, or undefined where there is none to be read, or several (`03/04/2024`):
   * ISO 8601, RFC 2822, RFC 850, asctime, `2024-05-01 12:00:00`, `May 1st, 2024`, `31.12.2024`, a count since 1970 from seconds to
   * nanoseconds as a number or digits. A zone that is not given is not invented.
   */
  export function parseDate(value: string | number | null | undefined): string | undefined;

  // ── Documents ───────────────────────────────────────────────────────────────────────────────────────────────────

  interface ParentNode {
    /** CSS selector; in XML `media\\:content` matches by the name as written. */
    querySelector(selector: string): Element | null;
    /** Every element that a CSS selector chooses, as a true array. */
    querySelectorAll(selector: string): Element[];
    /** Every element of this name; `*` for all. */
    getElementsByTagName(name: string): Element[];
    /** XPath 1.0. */
    xpath(expression: string): Element[] | string[] | string | number | boolean;
    /** The elements right below. */
    readonly children: Element[];
    /** All the text below, joined. */
    readonly textContent: string;
    /** What relative URLs in it are relative to: the page's `<base>`, else its own URL. `new URL(path, res.html.baseURI).href`. */
    readonly baseURI: string;
  }

  export interface Document extends ParentNode {
    /** The outermost element. */
    readonly documentElement: Element;
    /** The HTML page's title. */
    readonly title: string;
    /** The element with this id. */
    getElementById(id: string): Element | null;
  }

  export interface Element extends ParentNode {
    /** Upper-case in HTML. */
    readonly tagName: string;
    /** The name without its prefix. */
    readonly localName: string;
    /** The namespace that the name is of; null for none. */
    readonly namespaceURI: string | null;
    /** The attribute `id`; empty where there is none. */
    readonly id: string;
    /** The attribute `class`; empty where there is none. */
    readonly className: string;
    /** The words of `class`. */
    readonly classList: { contains(name: string): boolean; readonly length: number; [index: number]: string };
    /** The attribute as it stands; null where there is none. */
    getAttribute(name: string): string | null;
    /** Whether there is such an attribute, empty or not. */
    hasAttribute(name: string): boolean;
    /** Every attribute, in the order of the text. */
    readonly attributes: { name: string; value: string }[];
    /** The attributes `data-…`: `dataset.pageUrl` is `data-page-url`. */
    readonly dataset: Record<string, string>;
    /** The URL that links in the document are relative to. */
    readonly baseURI: string;
    /** Absolute, as in the DOM; empty when there is none. */
    readonly href: string;
    /** Absolute, as in the DOM; empty when there is none. */
    readonly src: string;
    /** The text below, as `textContent`. */
    readonly innerText: string;
    /** What is below, as markup. */
    readonly innerHTML: string;
    /** The element itself, as markup. */
    readonly outerHTML: string;
    /** The first element right below. */
    readonly firstElementChild: Element | null;
    /** The last element right below. */
    readonly lastElementChild: Element | null;
    /** The element that follows beside this one. */
    readonly nextElementSibling: Element | null;
    /** The element before this one, beside it. */
    readonly previousElementSibling: Element | null;
    /** The element around this one. */
    readonly parentElement: Element | null;
    /** Whether a CSS selector chooses this element. */
    matches(selector: string): boolean;
    /** This element or the nearest around it that a CSS selector chooses. */
    closest(selector: string): Element | null;
  }
}

/**
 * What a test file, `providers/<id>.test.js`, works with; all of it is there as globals too. Tests run in the sandbox of
 * their provider, and requests are answered from its cassettes.
 *
 *     const { test, expect, run, cassette } = require('imgscript/test');
 *
 *     test('an item has its author', () => {
 *       cassette('search');
 *       expect(run.search('coffee').items[0]).toMatchObject({ author: { name: 'Marlow Finch' } });
 *     });
 */
declare module 'imgscript/test' {
  import type { Item, Media, Page } from 'imgscript';

  /** The query of a listing; what is left out has its default. */
  export interface Asked {
    /** The words searched for. */
    text?: string;
    /** From 1. */
    page?: number;
    /** From 0; with `page` given, the first item of that page. */
    offset?: number;
    /** Brought within `limits.pageSize`. */
    limit?: number;
    /** What the last page gave as `next`. */
    cursor?: any;
    /** The provider's own parameters, checked as those of a user are. */
    params?: Record<string, string | number | boolean | string[] | null | undefined>;
    /** A point to search around. */
    near?: { lat: number; lon: number };
    /** The server, for a provider with `instance`. */
    instance?: string;
  }

  /** An id, or an item as far as it is known. */
  export type Known = string | (Partial<Item> & { id: string | number });

  /**
   * Runs the provider's operations to their end. Results are checked as in a search; what goes wrong is thrown as an
   * Error with `kind`, `message`, `path`, `operation` and `place`.
   */
  export const run: {
    /** The first page of a search, or the one that `page`, `offset` or `cursor` names. */
    search(query: string | Asked): Page;
    /** A page of the list that needs no text. */
    feed(query?: Asked): Page;
    /** The images that look like one; without `image`, its address, like a file. */
    similar(query?: Asked & { image?: string }): Page;
    /** Everything about one item. */
    details(item: Known): Item;
    /** A page of an album, a gallery or somebody's images. */
    collection(item: Known, query?: Asked): Page;
    /** The file to fetch; null where the provider leaves the media as it is. */
    download(media: Media, item: Known): Media | null;
    /** The item that a page URL or a short form stands for, by the provider's `match`; null when there is none. */
    match(text: string): Item | null;
  };

  /**
   * The recordings to answer from, by name; without it all of the provider's. In a test for its rest, beside tests for
   * those of the group or the file.
   */
  export function cassette(...names: string[]): void;

  interface Declaration<Body> {
    (name: string, body: Body): void;
    /**
     * One for every row. `%s %d %i %f %j %o %p` in the name take the row's values in turn, `%#` its index, `$name` a
     * member of a row that is an object.
     */
    each<Row>(rows: readonly (Row | readonly Row[])[]): (name: string, body: (...row: any[]) => void) => void;
    each(names: TemplateStringsArray, ...values: any[]): (name: string, body: (row: any) => void) => void;
  }

  interface Declarations<Body> extends Declaration<Body> {
    /** Reported, but not run. */
    skip: Declaration<Body>;
    /** The file's other tests are not run. */
    only: Declaration<Body>;
  }

  export const test: Declarations<() => void | Promise<void>> & { /** To be written. */ todo(name: string): void };
  export const it: typeof test;
  export const describe: Declarations<() => void>;
  /** Runs before each test of the group, or of the file. */
  export function beforeEach(body: () => void | Promise<void>): void;

  /** Values that stand for many, wherever an expected value may stand. */
  interface Containing {
    /** An object that has these members, and perhaps more. */
    objectContaining(members: Record<string, any>): any;
    /** A list that has these elements, in any order. */
    arrayContaining(elements: any[]): any;
    /** A text with this part. */
    stringContaining(part: string): any;
    /** A text that an expression matches. */
    stringMatching(expected: string | RegExp): any;
  }

  interface Expect extends Containing {
    (value: any): Expectation;
    /** Anything but null and undefined. */
    anything(): any;
    /** Any value of a class: `expect.any(String)`. */
    any(type: Function): any;
    /** Negates the next matcher. */
    readonly not: Containing;
    /** The test fails unless so many expectations were looked at. */
    assertions(count: number): void;
    /** The test fails unless an expectation was looked at. */
    hasAssertions(): void;
  }
  export const expect: Expect;

  export interface Expectation {
    /** Negates the next matcher. */
    readonly not: Expectation;
    /** The very same value. */
    toBe(expected: any): void;
    /** The same contents; members that are undefined count as absent. */
    toEqual(expected: any): void;
    /** The same contents and types; members that are undefined count. */
    toStrictEqual(expected: any): void;
    /** A text that has a part, or that an expression matches. */
    toMatch(expected: string | RegExp): void;
    /** An object with these members, and perhaps more. */
    toMatchObject(expected: object): void;
    /** A list of so many elements, or a text of so many characters. */
    toHaveLength(length: number): void;
    /** `'media[0].url'`, or a list of names; with a value, one equal to it. */
    toHaveProperty(path: string | readonly (string | number)[], value?: any): void;
    /** An element of a list, the very same; or a part of a text. */
    toContain(expected: any): void;
    /** An element of a list with the same contents. */
    toContainEqual(expected: any): void;
    /** Anything but undefined. */
    toBeDefined(): void;
    /** undefined. */
    toBeUndefined(): void;
    /** null. */
    toBeNull(): void;
    /** Anything that counts as true. */
    toBeTruthy(): void;
    /** Anything that counts as false: false, 0, an empty text, null, undefined, NaN. */
    toBeFalsy(): void;
    /** NaN. */
    toBeNaN(): void;
    /** An object of a class. */
    toBeInstanceOf(type: Function): void;
    /** A number above this one. */
    toBeGreaterThan(bound: number | bigint): void;
    /** This number, or one above. */
    toBeGreaterThanOrEqual(bound: number | bigint): void;
    /** A number below this one. */
    toBeLessThan(bound: number | bigint): void;
    /** This number, or one below. */
    toBeLessThanOrEqual(bound: number | bigint): void;
    /** @param digits after the point that have to agree @default 2 */
    toBeCloseTo(expected: number, digits?: number): void;
    /**
     * For a function: `expect(() => run.details('1')).toThrow('notFound')`. A kind of error, a part of its message, an
     * expression for it, a class, or an object with some of the error's members.
     */
    toThrow(expected?: string | RegExp | Function | Error | object): void;
    /** The JSON value kept in `__snapshots__` when the test first ran; `--update` keeps the new one. */
    toMatchSnapshot(hint?: string): void;
  }
}

// ── Globals beside the language's own ───────────────────────────────────────────────────────────────────────────────

/** An http or https URL, read as the host reads it. */
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  href: string;
  readonly origin: string;
  protocol: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  readonly searchParams: URLSearchParams;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | Iterable<[string, string]>);
  readonly size: number;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  delete(name: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void;
  entries(): Iterator<[string, string]>;
  keys(): Iterator<string>;
  values(): Iterator<string>;
  [Symbol.iterator](): Iterator<[string, string]>;
  toString(): string;
}

/** Goes to the host's debug log: `--verbose` shows it. */
declare const console: {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
};

// In test files, the names of `imgscript/test`.
declare const test: typeof import('imgscript/test').test;
declare const it: typeof import('imgscript/test').it;
declare const describe: typeof import('imgscript/test').describe;
declare const beforeEach: typeof import('imgscript/test').beforeEach;
declare const cassette: typeof import('imgscript/test').cassette;
declare const expect: typeof import('imgscript/test').expect;
declare const run: typeof import('imgscript/test').run;
