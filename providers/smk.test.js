const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a work says who made it, when and how', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: 'KKS9900',
      title: 'Lopsided coffee cup',
      description: 'A cup with reeds.',
      page: 'https://open.smk.dk/en/artwork/image/KKS9900',
      tags: ['copperplate', 'Engraving'],
      author: { name: 'Marlow Finch', id: '1180000000_person' }, // not “Finch, Marlow”
      license: { id: 'cc0-1.0' },
      extra: { period: '1800-1801', techniques: ['Engraving'] },
    });
  });

  test('the image server makes sizes', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 4000], ['large', 1600], ['regular', 800], ['small', 400], ['thumbnail', 200],
    ]);
  });

  test('a work that is not on it has the files of the museum', () => {
    expect(run.search('coffee').items[3].media).toMatchObject([
      { role: 'original', url: 'https://api.smk.dk/api/v1/download/abc/KKS9903%20old.jpg' }, { role: 'thumbnail' },
    ]);
  });

  test('rights are those of the work', () => {
    const { items } = run.search('coffee');
    expect(items[1].license).toHaveProperty('id', 'pdm-1.0');
    expect(items[4].license).toHaveProperty('id', 'copyrighted');
    expect(run.search({ text: 'coffee', params: { public_domain: true } }).total).toBe(2);
  });

  test('a second page follows the first', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', offset: 20 }).items).toHaveLength(3);
  });
});

test('the feed needs no text', () => {
  expect(run.feed().items).toHaveLength(4);
});

test('a work that is not there is notFound', () => {
  expect(run.details('KKS9900').id).toBe('KKS9900');
  expect(() => run.details('KKS1')).toThrow({ kind: 'notFound', message: 'SMK has no work KKS1.' });
  expect(() => run.search('too fast')).toThrow('rate');
});

test.each(['', 'en/'])('the page %s of a work is the work', (language) => {
  expect(run.match(`https://open.smk.dk/${language}artwork/image/KMS1`)).toHaveProperty('id', 'KMS1');
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing').items).toEqual([]);
});
