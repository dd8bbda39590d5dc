const { test, expect, run } = require('imgscript/test');

test('a search gives the front of each release that has one', () => {
  const { items, next } = run.search('coffee');
  expect(items).toHaveLength(14); // of 15 releases
  expect(next).toBe(15);
  expect(items[1]).toMatchObject({
    title: 'Latte with a lopsided heart',
    author: { name: 'Petra Mustermann' },
    created: '2019',
    media: [
      { role: 'original', url: expect.stringMatching(/^https:\/\/coverartarchive\.org\/release\/.*\.jpg$/) },
      { role: 'large' }, { role: 'regular' }, { role: 'thumbnail' },
    ],
    extra: { front: true, formats: ['CD'], labels: ['Example Records'] },
  });
});

test('a release has its back and its booklet too', () => {
  const { items } = run.collection('release:99000030-0000-4000-8000-000000000abc');
  expect(items[2].title).toBe(`${items[0].title}, Booklet: page 1`);
  expect(items.map(({ extra }) => extra?.types)).toEqual([['Front'], ['Back'], ['Booklet']]);
});

test('errors of MusicBrainz and of the archive', () => {
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.search('bad "query')).toThrow('unsupported');
  expect(() => run.collection('release:99000998-0000-4000-8000-000000000abc')).toThrow('notFound');
});
