const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a tag', () => {
  cassette('search');

  test('gives posts with artist, rating and every size', () => {
    const [post] = run.search('coffee').items;
    expect(post).toMatchObject({
      id: '9900000',
      page: 'https://e621.net/posts/9900000',
      description: 'A study of light.',
      tags: expect.arrayContaining(['coffee', 'otter', 'hi_res']),
      author: { name: 'marlow finch' }, // neither conditional_dnp nor who posted it
      created: '2026-05-28T08:00:00.100-04:00',
      stats: { score: 3, upvotes: 4, downvotes: 1, favorites: 5 },
      rating: 'safe',
      extra: { uploader: 'quietkettle', species: ['otter'] },
    });
    expect(post.media).toMatchObject([
      { role: 'original', width: 4000, height: 3000, bytes: 400000, format: 'png' },
      { role: 'large', width: 850, format: 'jpeg' },
      { role: 'thumbnail', width: 256, height: 192 },
    ]);
  });

  test('goes on before the last post, also past what is hidden', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(19); // of 20 posts
    expect(page.next).toBe('b9899867');
    const rest = run.search({ text: 'coffee', cursor: page.next });
    expect(rest.items).toHaveLength(4);
    expect(rest.next).toBeNull();
  });

  test('in another order has pages with numbers', () => {
    const page = run.search({ text: 'coffee', params: { order: 'score' } });
    expect(page.next).toBe(2);
    expect(run.search({ text: 'coffee', params: { order: 'score' }, cursor: 2 }).next).toBeNull();
  });

  test('a film is a video with its stills', () => {
    const film = run.search('coffee').items.find((post) => post.extra?.duration);
    expect(film).toHaveProperty('type', 'video');
    expect(film?.media.map((one) => one.role)).toEqual(['original', 'large', 'thumbnail']);
    expect(film?.media[0]).toHaveProperty('format', 'webm');
  });
});

test('popular is one page, filtered here by what is wanted', () => {
  const page = run.feed({ params: { list: 'popular', scale: 'week' } });
  expect(page).toMatchObject({ next: null });
  expect(page.items.map((post) => post.rating)).toEqual(['safe', 'safe']); // of 6
});

test('pools, sets, users and favourites are collections', () => {
  expect(run.collection('pool:990').items).toHaveLength(3);
  expect(run.collection('user:quietkettle').items).toHaveLength(3);
  expect(run.match('https://e621.net/pools/990')).toMatchObject({ id: 'pool:990', type: 'collection' });
  expect(run.match('fav:quietkettle')).toMatchObject({ id: 'fav:quietkettle', type: 'collection' });
  expect(run.match('https://e621.net/posts/12')).toMatchObject({ id: '12', type: 'image' });
});

test.each([
  ['too many tags', 'unsupported', 'You cannot search for more than 40 tags at a time'],
  ['too fast', 'rate', 'Throttled: Too many requests'],
  ['much too fast', 'rate', 'More than two requests a second.'],
  ['throttled', 'rate', 'More than two requests a second.'],
  ['refused', 'blocked', expect.any(String)],
  ['bad key', 'auth', 'SessionLoader::AuthenticationFailure'],
  ['too deep', 'unsupported', 'You cannot go beyond page 750. Please narrow your search terms.'],
])('"%s" is an error of kind %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('a post that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'not found' });
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});

test('posts that look like an image come with how similar they are', () => {
  cassette('similar');
  const { items } = run.similar();
  expect(items.map(({ extra }) => extra?.similarity)).toEqual([97.25, 62.5]);
  expect(run.similar({ params: { score_cutoff: 99 } })).toEqual({ items: [], next: null });
});

test('how often images are compared is said', () => {
  cassette('errors');
  const message = 'One image a minute is compared for visitors, with a key six in ten seconds.';
  expect(() => run.similar({ params: { score_cutoff: 42 } })).toThrow({ kind: 'rate', message });
});
