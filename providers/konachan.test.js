const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a tag', () => {
  cassette('search');

  test('gives posts with four files, and who posted them', () => {
    const [post] = run.search('coffee').items;
    expect(post).toMatchObject({
      id: '9930000',
      page: 'https://konachan.net/post/show/9930000',
      tags: expect.arrayContaining(['coffee', 'coffee_cup']),
      author: { name: 'Ferncombe', id: '990100' },
      created: '2026-05-28T20:26:40Z', // Unix seconds in the answer
      rating: 'safe',
      extra: { source: 'https://portfolio.example/works/8000' },
    });
    expect(post.media).toMatchObject([
      { role: 'original', width: 2400, height: 1600, bytes: 900000, format: 'png' },
      { role: 'large', width: 2400, height: 1600, format: 'jpeg' },
      { role: 'regular' },
      { role: 'thumbnail' },
    ]);
  });

  test("a file that is another's too is there once", () => {
    expect(run.search('coffee').items[1].media.map((file) => file.role)).toEqual(['original', 'regular', 'thumbnail']);
  });

  test('is answered in XML, which alone knows the total', () => {
    expect(run.search('coffee').items).toHaveLength(20);
    expect(run.search('coffee')).toMatchObject({ total: 25 });
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(5);
  });
});

test('JSON, of one post and of the popular ones, reads the same', () => {
  expect(run.details('9929994')).toMatchObject({ tags: ['coffee', 'latte_art', 'spoon'], stats: { score: 6 } });
  expect(run.feed({ params: { list: 'popular' } })).toMatchObject({ next: null });
});

test('a pool is the tag that finds its posts', () => {
  const item = run.match('https://konachan.net/pool/show/99077');
  expect(run.collection(item ?? '').items).toHaveLength(3);
});

test.each([['rate limit', 'rate'], ['closed', 'blocked']])('"%s" is an error of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('a post that is not there is an empty list', () => {
  expect(() => run.details('1')).toThrow('notFound');
});
