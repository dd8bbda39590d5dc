const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an object says who made it, when and of what', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '990000',
      title: 'Lopsided coffee cup',
      description: 'A sheet with one cup.',
      page: 'https://www.harvardartmuseums.org/collections/object/990000',
      tags: ['Drawings', 'Danish', '18th century', 'print'],
      author: { name: 'Marlow Finch', id: '33000' }, // not who gave it
      colors: ['#c8af96'],
      extra: { dated: 'c. 1700', medium: 'Ink on paper', creditline: 'Harvard Art Museums, Example Fund' },
    });
  });

  test('the image server makes sizes', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 4000], ['large', 1600], ['regular', 800], ['small', 400], ['thumbnail', 200],
    ]);
  });

  test('of a work under copyright there is 256 pixels at most', () => {
    const work = run.search('coffee').items[3];
    expect(work.license).toEqual({ id: 'copyrighted', name: '© Example Estate' });
    expect(work.media).toMatchObject([{ role: 'small', width: 256 }]);
  });

  test('a work that may not be shown is left out, and counted', () => {
    expect(run.search('coffee').items).toHaveLength(19);
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });
});

test('all pictures of an object are a collection', () => {
  expect(run.collection('views:990004').items.map((image) => image.id)).toEqual(['990004', '990004/1']);
  expect(run.details('990000/1').id).toBe('990000/1');
});

test('filters go to the source', () => {
  const params = { classification: 'Prints', century: '18th century' };
  expect(run.search({ text: 'coffee', params }).total).toBe(1);
  expect(run.feed().items).toHaveLength(4);
});

test('errors are of their kinds', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow('auth');
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.details('1')).toThrow('notFound');
  expect(() => run.collection('views:990005')).toThrow({ kind: 'notFound', message: 'The object has no picture.' });
});

test('nothing found is an empty page; a page of the site is an object', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  expect(run.match('https://harvardartmuseums.org/collections/object/990000')).toHaveProperty('id', '990000');
});
