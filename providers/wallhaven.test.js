const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a wallpaper has its size, length and colours', () => {
    const [wallpaper] = run.search('coffee').items;
    expect(wallpaper).toMatchObject({
      id: 'zz1000',
      page: 'https://wallhaven.cc/w/zz1000',
      created: '2031-01-10T08:10:45',
      colors: ['#663300', '#996633', '#100000'],
      stats: { views: 1200, favorites: 9 },
      rating: 'safe',
      extra: { category: 'general', source: 'https://example.org/wallpapers/0' },
    });
    expect(wallpaper.media[0]).toEqual({
      role: 'original', url: 'https://w.wallhaven.cc/full/zz/wallhaven-zz1000.jpg',
      width: 3840, height: 2160, bytes: 900000, format: 'jpeg',
    });
  });

  test('claims neither author nor licence', () => {
    const [wallpaper] = run.search('coffee').items;
    expect(wallpaper).not.toHaveProperty('author');
    expect(wallpaper).not.toHaveProperty('license');
  });

  test('goes on to the last page', () => {
    const page = run.search('coffee');
    expect(page.total).toBe(26);
    expect(page.next).toEqual({ page: 2 });
    expect(run.search({ text: 'coffee', cursor: page.next }).next).toBeNull();
  });
});

test('random order goes on with the seed of its first page', () => {
  const params = { sorting: 'random' };
  const page = run.feed({ params });
  expect(page.next).toEqual({ page: 2, seed: 'sEeD01' });
  expect(run.feed({ params, cursor: page.next }).next).toBeNull();
});

test('details have tags, and who uploaded it, which is not who made it', () => {
  const wallpaper = run.details('zz1077');
  expect(wallpaper).toMatchObject({ tags: expect.arrayContaining(['coffee']), rating: 'questionable' });
  expect(wallpaper.extra).toHaveProperty('uploader.username', 'example-uploader');
  expect(wallpaper).not.toHaveProperty('author');
});

test.each([
  ['tag:990001', 3], ['user:example-uploader', 2], ['like:zz1007', 2], ['favorites:example-uploader/9901', 1],
])('%s is a collection', (id, count) => {
  expect(run.collection(id).items.length).toBeGreaterThanOrEqual(count);
});

test('what is not safe needs a key', () => {
  cassette('errors');
  expect(() => run.search({ text: 'bad key', params: { purity: ['nsfw'] } })).toThrow('auth'); // purity=001
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('nothing')).toThrow('notFound');
});
