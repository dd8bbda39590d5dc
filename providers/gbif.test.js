const { test, expect, run, cassette } = require('imgscript/test');

test('an occurrence is what was seen, where, when and by whom', () => {
  cassette('search');
  expect(run.search('coffee').items[1]).toMatchObject({
    id: '9900001',
    title: 'Coffea inventa',
    description: 'In flower.',
    page: 'https://www.gbif.org/occurrence/9900001',
    tags: ['Plantae', 'Magnoliopsida', 'Gentianales', 'Rubiaceae', 'Coffea', 'Coffea inventa'],
    license: { id: 'cc-by-nc-4.0' },
    created: '2024-05-01T10:20:00.000+00:00',
    location: { name: 'Invented Garden', country: 'Germany', latitude: 52.51, longitude: 13.4 },
    extra: { basis_of_record: 'HUMAN_OBSERVATION', scientific_name: 'Coffea inventa L.' },
  });
});

test('an occurrence of two photographs is one item of two files', () => {
  const { media } = run.details('9900004');
  expect(media.filter(({ role }) => role === 'original')).toMatchObject([{ file: 1, format: 'jpeg' }, { file: 2, format: 'jpeg' }]);
});

test('GBIF scales every photograph, which it knows by a digest of its address', () => {
  expect(run.details('9900004').media[4].url).toMatch(/^https:\/\/api\.gbif\.org\/v1\/image\/cache\/200x\/occurrence\/9900004\/media\/[0-9a-f]{32}$/);
});

test('without a picture an occurrence is notFound', () => {
  expect(() => run.details('9900005')).toThrow({ kind: 'notFound' });
});

test('pages of a species lead to all of it', () => {
  expect(run.match('https://www.gbif.org/species/2435099')).toMatchObject({ id: 'taxon:2435099', type: 'collection' });
});
