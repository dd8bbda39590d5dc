const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an object says what it is, who made it and where', () => {
    expect(run.search('coffee').items[1]).toMatchObject({
      id: 'co9900001',
      title: 'Coffee cup and saucer with cranes',
      page: 'https://collection.sciencemuseumgroup.org.uk/objects/co9900001/sample',
      tags: ['coffee pot', 'Domestic Appliances'],
      author: {
        name: 'Hisayo Tanemori', id: 'cp991', url: 'https://collection.sciencemuseumgroup.org.uk/people/cp991',
      },
      license: { id: 'cc-by-nc-sa-4.0' },
      location: { name: 'Seto' },
    });
  });

  test('its first picture comes in all sizes', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.slice(0, 3)).toMatchObject([
      { role: 'original', width: 4000, height: 3000, format: 'tiff' },
      { role: 'large', width: 1600, height: 1200, format: 'jpeg' },
      { role: 'regular', width: 800, height: 600 },
    ]);
    expect(media[1].url).toBe('https://coimages.sciencemuseumgroup.org.uk/images/99/100/large_EX2031_0000.jpg');
  });

  test('pages are counted', () => {
    expect(run.search('coffee').total).toBe(22);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(2); // number 1
  });
});

test('an unknown maker is left out', () => {
  expect(run.details('co9900016')).not.toHaveProperty('author');
});

test('only what is under Creative Commons', () => {
  for (const { license } of run.feed({ params: { image_license: true } }).items) expect(license?.id).toMatch(/^cc/);
});

test('the museum says what it refuses', () => {
  cassette('errors');
  const far = { text: 'too far', page: 22 };
  expect(() => run.search(far)).toThrow({ kind: 'unsupported', message: 'page number is too high' });
  expect(run.search({ text: 'deep', page: 21 }).next).toBeNull(); // though the museum names a next page
  expect(() => run.details('co1')).toThrow('notFound');
});

test("all pictures of an object are a collection; the first is the object's own", () => {
  const { items, next } = run.collection('views:co9900000');
  expect(items.map((picture) => picture.id)).toEqual(['co9900000', 'co9900000/1']);
  expect(next).toBeNull();
  expect(run.details('co9900000/1').media[0].url).not.toBe(run.details('co9900000').media[0].url);
});
