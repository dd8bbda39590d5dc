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
    expect(run.search('coffee pot').total).toBe(3); // tag=coffeepot
  });
});

// https://github.com/wix-incubator/DeviantArt-API/issues/248
test('the lists that are gone are no choice', () => {
  for (const gone of ['popular', 'newest']) {
    expect(() => run.search({ text: 'coffee', params: { by: gone } })).toThrow('expected one of tags, home');
    expect(() => run.feed({ params: { list: gone } })).toThrow('expected one of dailydeviations, home');
  }
  expect(run.feed().items.length).toBeGreaterThan(0);
  expect(run.feed({ params: { list: 'home' } }).total).toBe(5);
});

test('the home list may want a signed-in user', () => {
  cassette('errors');
  expect(() => run.search({ text: 'coffee', params: { by: 'home' } })).toThrow('search with by=tags');
});

describe('a collection', () => {
  test('is asked for 24 works at a time, whatever the page size', () => {
    expect(run.collection('user:kwame_invented', { limit: 50 }).items).toHaveLength(3); // limit=24
  });

  test('ends at 10,000, whatever has_more says', () => {
    const cursor = { offset: 9984, folder: 'all' };
    expect(run.collection('user:glorem', { cursor })).toMatchObject({ total: 12000, next: null });
  });

  test('is a folder too, found by the name in its address', () => {
    const item = run.match('https://www.deviantart.com/kwame_invented/gallery/990000/pots-cups');
    expect(item).toMatchObject({ id: 'folder:kwame_invented/pots-cups', type: 'collection' });
    const first = run.collection(item ?? '');
    expect(first.items).toHaveLength(2);
    expect(run.collection(item ?? '', { cursor: first.next }).next).toBeNull();
    expect(() => run.collection('favourites:kwame_invented/mochas')).toThrow('has no folder "mochas"');
  });

  test('is what a user likes, and what has a tag', () => {
    expect(run.collection('favourites:kwame_invented').items).toHaveLength(3);
    expect(run.collection('favourites:kwame_invented/lattes').items).toHaveLength(1); // and one journal
    expect(run.collection('tag:moka').items).toHaveLength(2);
  });

  test.each([
    ['https://www.deviantart.com/search?q=moka+pot', 'tag:moka pot'],
    ['https://www.deviantart.com/search/deviations?q=moka', 'tag:moka'],
    ['https://www.deviantart.com/tag/moka', 'tag:moka'],
    ['https://www.deviantart.com/anna', 'user:anna'],
    ['https://www.deviantart.com/anna/gallery/all', 'user:anna'],
    ['https://www.deviantart.com/anna/favourites', 'favourites:anna'],
    ['https://www.deviantart.com/anna/favourites/123/lattes', 'favourites:anna/lattes'],
  ])('stands at %s', (url, id) => {
    expect(run.match(url)).toMatchObject({ id, type: 'collection' });
  });

  test("of a user whose name is a page's is refused", () => {
    expect(() => run.collection('user:search')).toThrow('is a page of the site (expected a user)');
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

test('after ten free files in a week the listed one is fetched; other refusals are told of', () => {
  const [mine] = run.collection('user:kwame_invented').items;
  expect(run.download(mine.media[0], { ...mine, id: '99000000-0000-4000-8000-000000000099' })).toBeNull();
  cassette('errors');
  const locked = { ...mine, id: '99000000-0000-4000-8000-000000000098' };
  expect(() => run.download(mine.media[0], locked)).toThrow({ kind: 'unsupported', message: 'Deviation not downloadable.' });
});

test('a page in HTML is no refused login', () => {
  cassette('errors');
  expect(() => run.search('guarded')).toThrow('blocked');
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

test('whoever is logged in sees their own favourites', () => {
  cassette('collection');
  const own = run.collection('favourites:me').items;
  expect(own).toEqual(run.collection('favourites:kwame_invented').items);
});
