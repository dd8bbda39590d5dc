// The images in Reddit's posts: https://www.reddit.com/dev/api/
const { fileFormat, parseDate } = require('imgscript');

const SITE = 'https://www.reddit.com';

module.exports = { images };

/** The images of a post: one, the pictures of a gallery or of its text, or none. @returns {import('imgscript').Item[]} */
function images({ data: post }) {
  const shown = post.crosspost_parent_list?.[0] ?? post; // a crosspost shows what another does
  if (shown.gallery_data) return gallery(post, shown, shown.gallery_data.items);
  if (shown.is_self) return gallery(post, shown, Object.keys(shown.media_metadata ?? {}).map((media_id) => ({ media_id })));
  const url = shown.url_overridden_by_dest ?? shown.url;
  if (shown.post_hint !== 'image' && !isFile(shown, url)) return [];
  const { source, resolutions } = shown.preview?.images[0] ?? {};
  const previews = source ? [...resolutions, source].reverse() : [];
  const media = [{ role: 'original', url }, ...previews.map((size) => (
    { role: role(size.width), url: size.url, width: size.width, height: size.height }))];
  return [{ ...about(post), id: post.id, media }];
}

/** New posts, spoilers and posts of some communities come without `post_hint`: what they link to decides. */
function isFile({ is_video: isVideo }, /** @type {string | undefined} */ url) {
  return !isVideo && /^https?:\/\/[^?#]+\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(url ?? '');
}

/** The pictures of a gallery, in its order. @param {any} post @param {any} shown @param {any[]} entries */
function gallery(post, { media_metadata }, entries) {
  const pictures = entries.map((entry) => ({ ...entry, ...media_metadata?.[entry.media_id] }));
  // Withheld where the post is gone; films have no `s`.
  return pictures.filter(({ status, s: full }) => status === 'valid' && (full?.u ?? full?.gif)).map((picture) => {
    const { media_id, caption, outbound_url, m: type, s: full, p: smaller = [] } = picture;
    const item = about(post);
    return {
      ...item,
      id: `${post.id}-${media_id}`,
      description: caption || item.description,
      media: [
        { role: 'original', url: full.u ?? full.gif, width: full.x, height: full.y, format: fileFormat(type) },
        ...smaller.map(({ u, x, y }) => ({ role: role(x), url: u, width: x, height: y })).reverse(),
      ],
      extra: { ...item.extra, outbound_url },
    };
  });
}

/** @param {number} width @returns {import('imgscript').Media['role']} */
function role(width) {
  if (width > 900) return 'large';
  if (width > 500) return 'regular';
  return width > 200 ? 'small' : 'thumbnail';
}

/** What is said of a post, whatever its images. @returns {Omit<import('imgscript').Item, 'id' | 'media'>} */
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
