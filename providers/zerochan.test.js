const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('the feed of a tag', () => {
  cassette('search');

  test("shows a sample, with the original's size beside it", () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '9950000',
      title: 'Coffee Cup',
      page: 'https://www.zerochan.net/9950000',
      tags: expect.arrayContaining(['Coffee', 'Coffee Cup', 'Steam']),
      media: [{ role: 'regular' }, { role: 'thumbnail' }],
      extra: { width: 2400, height: 1600 },
    });
    expect(run.search('coffee').items[0].media[0]).not.toHaveProperty('width'); // not that of the sample
  });

  test('names the next page relative to itself', () => {
    const page = run.search('coffee');
    expect(page.next).toMatchObject({ p: '2', s: 'id' });
    // …and comes with status 500.
    expect(run.search({ text: 'coffee', cursor: page.next }).items[0].id).not.toBe(page.items[0].id);
  });
});

test('details have the file itself', () => {
  expect(run.details('9949961')).toMatchObject({
    title: 'Barista',
    tags: ['Coffee', 'Barista', 'Apron', 'Original'],
    media: [
      { role: 'original', width: 1200, height: 1200, bytes: 1830221, format: 'png' },
      { role: 'large', format: 'webp' },
      { role: 'regular' },
      { role: 'thumbnail' },
    ],
    extra: { source: 'https://portfolio.example/works/3' },
  });
});

test("a tag's web page has a link to each original", () => {
  const page = run.collection('tag:Coffee+Cup');
  expect(page.items[0]).toMatchObject({ id: '9960000', stats: { favorites: 2 }, extra: { kilobytes: 700 } });
  expect(page.items[0].media).toMatchObject([
    { role: 'original', width: 2400, height: 1600 }, { role: 'thumbnail', width: 240, height: 160 },
  ]);
  expect(page.next).toEqual({ p: '2' });
  expect(run.collection('tag:Coffee+Cup', { cursor: page.next }).next).toBeNull();
});

test('the most liked are another order', () => {
  expect(run.feed({ params: { s: 'fav' } }).items[0].id).not.toBe(run.feed().items[0].id);
});

test('failures', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('1')).toThrow('notFound');
  expect(() => run.search('broken')).toThrow(/server error/);
});
