const { test, expect, run, cassette } = require('imgscript/test');

test('an image has the licence and the credit of its place', () => {
  const [free, credited] = run.search('coffee').items;
  expect(free).toMatchObject({
    id: 'inv00000', page: 'https://wellcomecollection.org/works/work0000/images?id=inv00000', credit: 'Wellcome Collection',
    tags: ['Engravings', 'Coffee'], colors: ['#8b7a66'], authors: [{ name: 'Marlow Finch' }, { name: 'Petra Mustermann' }],
  });
  expect(free.license).toMatchObject({ id: expect.stringMatching(/^pdm/) });
  expect(credited).toMatchObject({ credit: 'Example Hospital', license: { id: 'cc-by-4.0' } });
});

test('a work has its images; one that is gone is left out', () => {
  expect(run.collection('work:work0040').items.map(({ id }) => id)).toEqual(['inv00040', 'inv00041']);
  expect(run.collection('like:inv00003').items).toHaveLength(2);
});

test('pages of works and of their images', () => {
  expect(run.match('https://wellcomecollection.org/works/abc/images?id=xyz')).toMatchObject({ id: 'xyz', type: 'image' });
  expect(run.match('https://wellcomecollection.org/works/abc')).toMatchObject({ id: 'work:abc', type: 'collection' });
});

test('errors say what the source says', () => {
  cassette('errors');
  expect(() => run.details('nothing')).toThrow('notFound');
  expect(() => run.search({ text: 'bad color', params: { color: 'zzz' } })).toThrow("color: 'zzz' is not a valid value.");
  expect(() => run.search('rate limit')).toThrow('rate');
});
