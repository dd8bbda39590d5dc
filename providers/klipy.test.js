const { test, expect, run, cassette } = require('imgscript/test');

test('an animation has its sizes, the films aside', () => {
  const { items, next } = run.search('coffee');
  expect(next).toBe('24');
  expect(items[0]).not.toHaveProperty('title');
  expect(items[1]).toMatchObject({
    type: 'animation', title: 'Latte with a lopsided heart', alt: 'Latte with a lopsided heart, in a loop', page: 'https://klipy.com/gifs/latte-with-a-lopsided-heart',
    media: [{ role: 'original', format: 'gif', width: 498, bytes: 907200 }, { role: 'original', format: 'webp' }, {}, {}, {}, {}],
    extra: { films: { mp4: expect.stringMatching(/\.mp4$/) } },
  });
  expect(run.search({ text: 'coffee', cursor: next }).next).toBeNull();
});

test('stickers are asked for by a filter', () => {
  expect(run.feed({ params: { kind: 'stickers' } }).items).toHaveLength(1);
});

test('errors of either form', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow('auth');
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('0')).toThrow('notFound');
});
