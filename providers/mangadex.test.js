const { test, expect, run, cassette } = require('imgscript/test');

test('a manga is its main cover; one without a cover is left out', () => {
  const { items, total } = run.search('coffee');
  expect(total).toBe(23);
  expect(items).toHaveLength(19);
  expect(items[1]).toMatchObject({
    title: 'Latte with a lopsided heart, volume 2',
    description: 'An invented story.',
    tags: ['Cooking'],
    author: { name: 'Petra Mustermann' },
    rating: 'sensitive',
    media: [{ role: 'original' }, { role: 'regular', format: 'jpeg' }, { role: 'small' }],
  });
  expect(items[0].authors).toHaveLength(2); // who wrote it, and who drew it
});

test('all covers of one manga', () => {
  const { items: [first, second] } = run.collection('manga:99006001-0000-4000-8000-000000000abc');
  expect(first.media[0].url).toBe('https://uploads.mangadex.org/covers/99006001-0000-4000-8000-000000000abc/inv0040.jpg');
  expect(second.extra?.locale).toBe('en');
});

test('errors say what the source says', () => {
  cassette('errors');
  expect(() => run.details('nothing')).toThrow({ kind: 'notFound', message: 'Cover could not be found' });
  expect(() => run.search('rate limit')).toThrow('rate');
});
