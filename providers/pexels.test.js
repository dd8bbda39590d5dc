const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a photo says who took it, and its colour', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '990310000',
      title: 'Coffee pot with reeded handle',
      page: 'https://www.pexels.com/photo/coffee-pot-with-reeded-handle-990310000/',
      author: { name: 'Wren Aldous', id: '99000100', url: 'https://www.pexels.com/@example-0' },
      license: { id: 'pexels' },
      colors: ['#6B4F3A'],
    });
  });

  test("eight files: those that keep the photo's shape have its proportions", () => {
    const [{ media }] = run.search('coffee').items;
    expect(media).toHaveLength(8);
    expect(media[0]).toMatchObject({ role: 'original', width: 4000, height: 3000 });
    expect(media[1]).toMatchObject({ role: 'large', width: 1733, height: 1300 });
    expect(media[3]).toMatchObject({ width: 800, height: 1200 }); // cut
  });

  test('the last page names no next one', () => {
    expect(run.search('coffee')).toMatchObject({ total: 24 });
    expect(run.search({ text: 'coffee', page: 2 }).next).toBeNull();
  });
});

test('a photo without a description has no title', () => {
  expect(run.details('990310222')).not.toHaveProperty('title');
});

test('a collection may hold films, which are not asked for', () => {
  expect(run.collection('collection:ex4mple').items).toHaveLength(3);
  const page = 'https://www.pexels.com/collections/coffee-time-ex4mple/';
  expect(run.match(page)).toHaveProperty('id', 'collection:ex4mple');
});

test.each([['bad key', 'auth'], ['rate limit', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('a photo that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow('notFound');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});

test('videos come in several sizes, the largest first, with a still', () => {
  const [film] = run.search({ text: 'coffee', params: { kind: 'videos' } }).items;
  expect(film).toMatchObject({ id: 'video:99050000', type: 'video', author: { name: 'Marlow Finch' }, license: { id: 'pexels' } });
  expect(film.media.map(({ role, width, type }) => [role, width, type])).toEqual([
    ['original', 3840, 'video'], ['large', 1920, 'video'], ['small', 640, 'video'], ['thumbnail', undefined, 'image'],
  ]);
  expect(run.match('https://www.pexels.com/video/coffee-99050003/')).toHaveProperty('id', 'video:99050003');
});
