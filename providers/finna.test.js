const { test, describe, expect, run, cassette } = require('imgscript/test');

const WITH_TWO = 'examplemuseo.1A77C5E1B15D6217901087C95702C66C';

describe('search', () => {
  cassette('search');

  test('a record says who made it, where it is, and what may be done with it', () => {
    const [record] = run.search('coffee').items;
    expect(record).toMatchObject({
      id: expect.stringMatching(/^examplemuseo\.\w+$/),
      title: 'Lopsided coffee cup',
      description: 'A study of light.',
      tags: ['cups', 'still lifes'],
      author: { name: 'Finch, Marlow' },
      license: { id: 'cc-by-4.0' }, // of the link to its page in Finnish
      extra: { organisation: ['Example Museum'], year: '1900', formats: ['Image', 'Photo'] },
    });
    expect(record.page).toBe(`https://www.finna.fi/Record/${record.id}?lng=en-gb`);
  });

  test('the server makes every size from one address', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map((file) => [file.role, new URL(file.url).searchParams.get('size')])).toEqual([
      ['large', 'large'], ['regular', 'medium'], ['thumbnail', 'small'],
    ]);
  });

  test('a record without a picture is left out, and counted', () => {
    expect(run.search('coffee').items).toHaveLength(19);
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });

  test('rights and kinds are filters', () => {
    const { items } = run.search({ text: 'coffee', params: { rights: ['free', 'by'], kind: 'Photo' } });
    expect(items).toHaveLength(2);
  });
});

test('all images of a record are a collection', () => {
  expect(run.collection(`views:${WITH_TWO}`).items.map((image) => image.id)).toEqual([WITH_TWO, `${WITH_TWO}/1`]);
  expect(run.details(`${WITH_TWO}/1`).media[0].url).toMatch('index=1');
});

test('the feed is what was added last', () => {
  expect(run.feed().items).toHaveLength(4);
});

test('errors are said in the words of Finna', () => {
  cassette('errors');
  expect(() => run.details('examplemuseo.none')).toThrow({ kind: 'notFound', message: 'Record not found' });
  expect(() => run.search('bad sort')).toThrow({ kind: 'unsupported', message: 'Invalid parameters' });
  expect(() => run.search('too fast')).toThrow('rate');
});

test('nothing found has no list at all', () => {
  expect(run.search('zzzznothing').items).toEqual([]);
  expect(run.match('https://www.finna.fi/Record/examplemuseo.1')).toHaveProperty('id', 'examplemuseo.1');
});
