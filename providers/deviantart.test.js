const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a deviation has its artist, and a file for each size', () => {
    const [work] = run.search('coffee').items;
    expect(work).toMatchObject({
      id: '99000000-0000-4000-8000-000000000000',
      title: 'Enamel coffee pot on a blue stove',
      page: 'https://www.deviantart.com/odalysfernwick/art/Enamel-coffee-pot-on-a-blue-stove-990000000',
      author: { name: 'odalysfernwick', url: 'https://www.deviantart.com/odalysfernwick' },
      created: '2023-11-14T22:13:20Z',
      stats: { likes: 300, comments: 0 },
      rating: 'safe',
    });
    expect(work.media[0]).toMatchObject({ role: 'original', width: 1280, height: 960, bytes: 1500000 });
  });

  test('journals, literature and what was deleted are passed over', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(21); // of 24
    expect(page).toMatchObject({ total: 29, next: 24 });
    expect(run.search({ text: 'coffee', cursor: 24 }).next).toBeNull();
  });

  test('a tag is one word', () => {
    expect(run.search({ text: 'coffee pot', params: { by: 'tags' } }).total).toBe(3);
  });
});

test('details say licence, tags and camera, which a list does not', () => {
  expect(run.details('99000000-0000-4000-8000-000000000002')).toMatchObject({
    description: 'Oil on board.\nPainted from an invented sketch.',
    tags: ['farm', 'harvest'],
    license: { id: 'cc-by-nc-sa-3.0' },
    camera: { make: 'Invented Optics', model: 'IO-1', exposure: '1/125', aperture: '2.8', focalLength: '35' },
  });
});

test("a page's address is turned into the UUID that the page holds", () => {
  const item = run.match('https://www.deviantart.com/kwame_invented/art/Drying-patio-above-the-river-990000002');
  expect(run.details(item ?? '')).toHaveProperty('id', '99000000-0000-4000-8000-000000000002');
});

test('the file as it was uploaded is fetched where the artist gives it away', () => {
  const [mine] = run.collection('user:kwame_invented').items;
  expect(run.download(mine.media[0], mine)?.url).toMatch('original-invented.png');
  expect(run.download(mine.media[1], mine)).toBeNull();
});

test('daily deviations are those of a day', () => {
  expect(run.feed({ params: { list: 'dailydeviations', date: '2024-05-01' } }).items.length).toBeGreaterThan(0);
});

test.each([['bad key', 'auth'], ['rate limit', 'rate'], ['bad request', 'unsupported']])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('a deviation that is gone is notFound', () => {
  expect(() => run.details('00000000-0000-4000-8000-00000000dead')).toThrow('notFound');
});
