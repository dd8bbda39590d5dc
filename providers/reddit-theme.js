// The images in Reddit's posts: https://www.reddit.com/dev/api/
const { fileFormat, parseDate } = require('imgscript');

const SITE = 'https://www.reddit.com';

module.exports = { images };

/** The images of a post: one, the pictures of a gallery, or none. @returns {import('imgscript').Item[]} */
function images({ data: post }) {
  const shown = post.crosspost_parent_list?.[0] ?? post; // a crosspost shows what another does
  if (shown.gallery_data) return gallery(post, shown);
  if (shown.post_hint !== 'image') return [];
  const { source, resolutions } = shown.preview?.images[0] ?? {};
  const previews = source ? [...resolutions, source].reverse() : [];
  const original = { role: 'original', url: shown.url_overridden_by_dest ?? shown.url };
  const media = [original, ...previews.map(({ url, width, height }) => ({ role: role(width), url, width, height }))];
  return [{ ...about(post), id: post.id, media }];
}

/** The pictures of a gallery, in its order. */
function gallery(post, { gallery_data, media_metadata }) {
  const pictures = gallery_data.items.map((entry) => ({ ...entry, ...media_metadata?.[entry.media_id] }));
  return pictures.filter(({ status }) => status === 'valid').map((picture) => { // withheld where the post is gone
    const { media_id, caption, outbound_url, m: type, s: full, p: smaller } = picture;
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
