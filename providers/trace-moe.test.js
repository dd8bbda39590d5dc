const { test, expect, run, cassette } = require('imgscript/test');

test('a scene has its place in an anime, a still and a film', () => {
  const { items } = run.similar();
  expect(items.map(({ title }) => title)).toEqual(['Tales of a Coffee House, 1:38', 'Kissaten no Hanashi, episode 3, 1:41']);
  expect(items[0]).toMatchObject({
    page: 'https://anilist.co/anime/9900',
    rating: 'safe',
    media: [
      { role: 'large', url: 'https://api.trace.moe/image/inv0REDACTED?size=l', expires: '2026-05-28T10:05:00.000Z' },
      { role: 'small' },
      { role: 'original', file: 2, type: 'video', format: 'mp4' },
    ],
    extra: { similarity: 97.81, anilist: 9900 },
  });
});

test('scenes that are less alike are there when asked for', () => {
  expect(run.similar({ params: { minimum: 50 } }).items).toHaveLength(3);
});

test.each([['busy', 'rate'], ['key', 'auth'], ['text', 'unsupported']])('%s.jpg is an error of kind %s', (name, kind) => {
  cassette('errors');
  expect(() => run.similar({ image: `https://pictures.example/${name}.jpg` })).toThrow(kind);
});
