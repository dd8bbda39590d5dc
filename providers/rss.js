const { fail } = require('imgscript');
const { entries, next } = require('./feed-theme');

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'rss',
  name: 'RSS and Atom',
  version: '1.0.0',
  homepage: 'https://www.rssboard.org/media-rss',
  summary: 'The images of any RSS or Atom feed: enclosures, Media RSS, or what the text shows.',
  category: 'web',
  instance: { default: 'https://www.nasa.gov/feeds/iotd-feed/', help: 'The address of a feed.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  terms: { license: 'As each feed says' },
  paging: 'cursor',

  feed: {
    request: (q) => ({ url: q.cursor ?? q.instance ?? '', accept: 'xml' }),
    parse: (res, q) => {
      const items = entries(res);
      const hasEntries = res.xml.querySelector('item, entry');
      if (!items.length && hasEntries && !q.cursor) fail('notFound', 'No entry of the feed shows an image.');
      return { items, next: next(res) };
    },
  },
};
