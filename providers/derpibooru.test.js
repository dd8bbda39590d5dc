const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image says who drew it by a tag, and how safe it is by another', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: '99700000',
      description: 'A quick study before work.\nCup number 1.',
      page: 'https://derpibooru.org/images/99700000',
      tags: expect.arrayContaining(['coffee', 'safe', 'artist:tessera quill']),
      author: { name: 'tessera quill' },
      created: '2026-01-01T00:06:38Z',
      stats: { score: 20, favorites: 9, upvotes: 22, downvotes: 2, comments: 0 },
      rating: 'safe',
    });
    expect(image.media[0]).toMatchObject({ role: 'original', width: 2400, height: 1600, bytes: 510000 });
  });

  test('pages are counted, and the total is known', () => {
    expect(run.search('coffee')).toMatchObject({ total: 26 });
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(6);
  });
});

test('what was removed is notFound, with the reason', () => {
  expect(() => run.details('2')).toThrow({ kind: 'notFound', message: 'The image was removed: Rule 2' });
  expect(() => run.details('1')).toThrow('notFound');
});

test('popular is what people liked in three days', () => {
  expect(run.feed({ params: { list: 'popular' } }).items.length).toBeGreaterThan(0);
});

test('a gallery keeps its own order; a user is a collection too', () => {
  expect(run.collection('gallery:9904').items).toHaveLength(3);
  expect(run.collection('user:Ferncombe').items).toHaveLength(2);
  expect(run.match('https://derpibooru.org/galleries/9904')).toMatchObject({ id: 'gallery:9904', type: 'collection' });
});

test.each([['a b c (', 'unsupported'], ['rate limit', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  expect(() => run.search(text)).toThrow(kind);
});

test('a picture finds those that look like it', () => {
  expect(run.similar().items).toHaveLength(3);
  expect(run.similar({ image: 'https://pictures.example/fox.jpg' }).items).toEqual([]);
});
