const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an observation gives an item for each of its photos', () => {
    const { items } = run.search('coffee');
    expect(items).toHaveLength(34); // of 20 observations
    expect(items.slice(0, 4).map((image) => image.id)).toEqual([
      '990000020-9900000200', '990000019-9900000190', '990000019-9900000191', '990000019-9900000192',
    ]);
  });

  test('a photo says what was seen, where, when and by whom', () => {
    expect(run.search('coffee').items[1]).toMatchObject({
      title: 'Robusta coffee',
      page: 'https://www.inaturalist.org/observations/990000019',
      tags: ['Coffea canephora'],
      author: { name: 'Petra Mustermann', id: 'petra_mustermann' },
      license: { id: 'cc-by' }, // the photo's, not the observation's
      created: '2024-04-02T08:30:00-06:00',
      location: { name: 'Example Valley, Examplia', latitude: 10.1, longitude: -84.1 },
      extra: { quality_grade: 'needs_id', rank: 'species' },
    });
  });

  test('a photo without a licence is all rights reserved', () => {
    const reserved = run.search('coffee').items.find((image) => image.id.toString().startsWith('990000017'));
    expect(reserved?.license).toEqual({ id: 'all-rights-reserved', name: 'All rights reserved' });
  });

  test("the square's address gives those of the other sizes", () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width, height }) => [role, width, height])).toEqual([
      ['original', 2048, 1536], ['large', 1024, 768], ['regular', 500, 375], ['small', 240, 180], ['thumbnail', 75, 75],
    ]);
    expect(media[0].url).toMatch(/\/original\.jpg$/);
  });

  test('pages go by the last observation, which has no end at 10,000', () => {
    const page = run.search('coffee');
    expect(page.next).toEqual({ id_below: 990000001 });
    expect(run.search({ text: 'coffee', cursor: page.next }).next).toBeNull();
  });
});

test('the newest, and by group and licence', () => {
  expect(run.feed().items).toHaveLength(5);
  expect(run.feed({ params: { order: 'asc', iconic_taxa: ['Insecta', 'Aves'] } }).items).toHaveLength(2);
  for (const photo of run.feed({ params: { photo_license: ['cc0', 'cc-by'] } }).items) {
    expect(photo.license?.id).toMatch(/^cc0|^cc-by$/);
  }
});

test('an observation, a person and a group are collections', () => {
  expect(run.collection('observation:990000019').items).toHaveLength(3);
  expect(run.collection('user:tove_pahittad').items).toHaveLength(2);
  const item = run.match('https://www.inaturalist.org/taxa/99-Coffea');
  expect(run.collection(item ?? '').items).toHaveLength(2);
});

describe('answers of other versions', () => {
  test('those of the first have other names', () => {
    cassette('search');
    expect(run.search('former').items).toMatchObject([{
      id: '990000777-9900007770',
      title: 'Invented jay',
      tags: ['jay'],
      author: { name: 'petra_mustermann' },
      license: { id: 'cc-by' },
      location: { latitude: 51.2, longitude: 6.7 },
      media: [{ role: 'original', url: 'https://static.inaturalist.org/photos/9900007770/original.jpg' }, {}, {}, {}, {}],
    }]);
  });

  test('those of the second have the fields that were asked for', () => {
    cassette('search');
    const [photo] = run.search('fields').items;
    expect(photo).toMatchObject({ id: '99000000-0000-4000-8000-000990000778-9900007780' });
    expect(photo).not.toHaveProperty('author');
  });

  test('without photos, or in another form, they are changed', () => {
    cassette('errors');
    expect(() => run.search('second')).toThrow({ kind: 'changed', message: expect.stringMatching(/observations without photos/) });
    expect(() => run.search('none')).toThrow({ kind: 'changed', message: expect.stringMatching(/without a list of observations/) });
  });
});

test('failures', () => {
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('1')).toThrow('notFound');
  expect(() => run.details('990000000')).toThrow('The observation has no photo.');
});
