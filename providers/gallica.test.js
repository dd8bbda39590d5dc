const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a document says who made it, when, and what may be done with it', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: 'btv1b99900000x',
      title: 'Lopsided coffee cup : [estampe]',
      description: 'Une tasse ébréchée.',
      page: 'https://gallica.bnf.fr/ark:/12148/btv1b99900000x',
      tags: ['Tasses', 'Café'],
      author: { name: 'Finch, Marlow (1600-1661)' }, // without “. Graveur”
      license: { id: 'pdm-1.0' },
      created: '1700',
      extra: { formats: ['image/jpeg', 'Nombre total de vues : 1'] },
    });
  });

  test('the image server makes sizes of the first page', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map((file) => file.role)).toEqual(['original', 'large', 'regular', 'small', 'thumbnail']);
    expect(media[0].url).toBe('https://gallica.bnf.fr/iiif/ark:/12148/btv1b99900000x/f1/full/full/0/native.jpg');
    expect(media[1].url).toMatch('/full/!2000,2000/0/native.jpg');
  });

  test('a date that is not known is left as it stands', () => {
    const { items } = run.search('coffee');
    expect(items[3]).not.toHaveProperty('created');
    expect(items[3].extra).toHaveProperty('date', '17..');
    expect(items[4].license).toEqual({ id: 'other', name: "conditions spécifiques d'utilisation" });
  });

  test('a second page follows the first', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', offset: 20 }).items).toHaveLength(3);
  });

  test('kinds and years are terms of the query', () => {
    expect(run.search({ text: 'coffee', params: { kind: 'map', from: 1700, to: 1710 } }).total).toBe(1);
  });
});

test('details and the feed', () => {
  expect(run.details('btv1b99900000x').title).toBe('Lopsided coffee cup : [estampe]');
  expect(run.feed().items).toHaveLength(4);
});

test.each([
  ['from a program', 'blocked', 'Gallica refuses searches by programs from this network.'],
  ['verify', 'blocked', 'Gallica refuses searches by programs from this network.'],
  ['bad query', 'unsupported', 'Query syntax error'],
])('"%s" is %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('a document that is not there is notFound', () => {
  expect(() => run.details('btv1none')).toThrow({ kind: 'notFound', message: 'Gallica has no document btv1none.' });
  expect(() => run.search('too fast')).toThrow('rate');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});

test.each(['', '.item', '/f1.item', '.r=tasse?rk=21459'])('the page …%s is a document', (rest) => {
  expect(run.match(`https://gallica.bnf.fr/ark:/12148/btv1b99900000x${rest}`)).toHaveProperty('id', 'btv1b99900000x');
});
