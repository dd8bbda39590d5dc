// The images in Reddit's posts: https://www.reddit.com/dev/api/
const { fileFormat, parseDate } = require('imgscript');

const SITE = 'https://www.reddit.com';

module.exports = { images };

/**
 * What a post shows: an image, a film, or all pictures of its gallery or of its text as files of one item; or nothing.
 * @returns {import('imgscript').Item[]}
 */
function images({ data: post }) {
  const shown = post.crosspost_parent_list?.[0] ?? post; // a crosspost shows what another does
  if (shown.gallery_data) return gallery(post, shown, shown.gallery_data.items);
  if (shown.is_self) return gallery(post, shown, Object.keys(shown.media_metadata ?? {}).map((media_id) => ({ media_id })));
  const video = shown.secure_media?.reddit_video ?? shown.media?.reddit_video;
  if (video?.fallback_url) return [film(post, shown, video)];
  const url = shown.url_overridden_by_dest ?? shown.url;
  if (shown.post_hint !== 'image' && !isFile(shown, url)) return [];
  return [{ ...about(post), id: post.id, media: [{ role: 'original', url }, ...previews(shown)] }];
}

/** @returns {import('imgscript').Media[]} */
function previews({ preview }) {
  const { source, resolutions } = preview?.images[0] ?? {};
  const sizes = source ? [...resolutions, source].reverse() : [];
  return sizes.map(({ url, width, height }) => ({ role: role(width), url, width, height }));
}

/**
 * A film of Reddit's own: the form without sound, which lies apart.
 * @param {any} post @param {any} shown @param {any} video @returns {import('imgscript').Item}
 */
function film(post, shown, { fallback_url: url, width, height, has_audio, duration }) {
  const item = about(post);
  return {
    ...item,
    id: post.id,
    type: 'video',
    media: [
      { role: 'original', type: 'video', url, width, height, format: 'mp4' },
      ...previews(shown).filter((size) => size.role !== 'large'),
    ],
    extra: { ...item.extra, has_audio, duration },
  };
}

/** New posts, spoilers and posts of some communities come without `post_hint`: what they link to decides. */
function isFile({ is_video: isVideo }, /** @type {string | undefined} */ url) {
  return !isVideo && /^https?:\/\/[^?#]+\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(url ?? '');
}

/**
 * The pictures of a gallery as files of one item, in its order.
 * @param {any} post @param {any} shown @param {any[]} entries @returns {import('imgscript').Item[]}
 */
function gallery(post, { media_metadata }, entries) {
  const pictures = entries.map((entry) => ({ ...entry, ...media_metadata?.[entry.media_id] }));
  // Withheld where the post is gone; films have no `s`.
  const shown = pictures.filter(({ status, s: full }) => status === 'valid' && (full?.u ?? full?.gif));
  if (!shown.length) return [];
  const item = about(post);
  const captions = shown.map(({ caption = '' }) => caption);
  return [{
    ...item,
    id: post.id,
    description: item.description ?? (captions.filter(Boolean).join('\n') || null),
    media: shown.flatMap(({ m: type, s: full, p: smaller = [] }, place) => [
      { role: 'original', url: full.u ?? full.gif, width: full.x, height: full.y, format: fileFormat(type) },
      ...smaller.map(({ u, x, y }) => ({ role: role(x), url: u, width: x, height: y })).reverse(),
    ].map((file) => ({ ...file, file: place + 1 }))),
    extra: {
      ...item.extra,
      captions: captions.some(Boolean) ? captions : null,
      outbound_urls: shown.map(({ outbound_url }) => outbound_url).filter(Boolean),
    },
  }];
}

/** @param {number} width @returns {import('imgscript').Media['role']} */
function role(width) {
  if (width > 900) return 'large';
  if (width > 500) return 'regular';
  return width > 200 ? 'small' : 'thumbnail';
}

/**
 * What is said of a post, whatever its images.
 * @param {any} post @returns {Omit<import('imgscript').Item, 'id' | 'media'>}
 */
function about(post) {
  const { author, subreddit, domain, upvote_ratio, spoiler, is_original_content } = post;
  return {
    type: 'image',
    title: post.title,
    description: post.selftext || null,
    page: `${SITE}${post.permalink}`,
    tags: post.link_flair_text ? [post.link_flair_text] : [],
    author: author === '[deleted]' ? null : { name: author, url: encodeURI(`${SITE}/user/${author}`) },
    created: parseDate(post.created_utc),
    stats: { score: post.score, likes: post.ups, comments: post.num_comments },
    rating: post.over_18 ? 'sensitive' : 'safe',
    extra: { subreddit, domain, upvote_ratio, spoiler, is_original_content },
  };
}
