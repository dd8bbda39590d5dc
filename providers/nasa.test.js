const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image says who took it, and where', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: 'EX90100',
      title: 'Crew coffee cup in free fall, view 1',
      page: 'https://images.nasa.gov/details/EX90100',
      author: { name: 'NASA/Example Person' },
      created: '2030-01-10T00:00:00Z',
      location: { name: 'Example Test Site' },
      extra: { center: 'JSC' },
    });
  });

  test('newer answers list files of several sizes, older ones the small one', () => {
    const [newer, older] = run.search('coffee').items;
    expect(newer.media.map((file) => file.role)).toEqual(['original', 'regular', 'thumbnail']);
    expect(newer.media[0]).toMatchObject({ width: 4000, height: 3000, bytes: 900000 });
    expect(older.media.map((file) => file.role)).toEqual(['thumbnail']);
  });

  test('the last page has no link to a next one', () => {
    expect(run.search('coffee')).toMatchObject({ total: 23 });
    expect(run.search({ text: 'coffee', page: 2 }).next).toBeNull();
  });
});

test('details put record and files together, by https and without spaces', () => {
  const image = run.details('EX 2031 note 5');
  expect(image.title).toBe('Crew coffee cup in free fall, view 6');
  expect(image.media[0]).toMatchObject({ role: 'original', format: 'tiff' });
  for (const file of image.media) expect(file.url).toMatch(/^https:\S+$/);
});

test('an album has films too, which are left out', () => {
  const page = run.collection('album:Coffee-In-Space');
  expect(page.items).toHaveLength(3);
  expect(page).toMatchObject({ total: 4 });
  expect(run.match('https://images.nasa.gov/album/Coffee-In-Space')).toHaveProperty('id', 'album:Coffee-In-Space');
});

test('a page with films only does not end the album', () => {
  const films = run.collection('album:Films-First');
  expect(films).toMatchObject({ items: [], next: 2 });
  const { items, next } = run.collection('album:Films-First', { page: 2, cursor: films.next });
  expect(items.map((image) => image.id)).toEqual(['EX90201', 'EX90202']);
  expect(next).toBeNull();
});

test('a description in HTML is text, and one that only looks like it stays', () => {
  const [html, plain] = run.collection('album:Films-First', { page: 2 }).items;
  expect(html.description).toBe('A cup & a saucer.\n\nSeen twice.');
  expect(plain.description).toBe('Where x < 5 & y > 3.');
});

test('what NASA refuses is said in its words', () => {
  const year = { text: 'bad year', params: { year_start: 2500 } };
  expect(() => run.search(year)).toThrow({ kind: 'unsupported', message: 'Invalid value for year_start.' });
  expect(() => run.details('nothing')).toThrow('notFound');
});
