const { test, expect, run, cassette } = require('imgscript/test');

// Any wiki: samples are of one that is invented.
test('a search gives files, without films of other sites', () => {
  cassette('search');
  const page = run.search('coffee');
  expect(page.items).toHaveLength(19); // of 20
  expect(page.items[0]).toMatchObject({
    id: 'File:Lopsided coffee cup.png',
    title: 'Lopsided coffee cup',
    page: 'https://kettles.fandom.com/wiki/File:Lopsided_coffee_cup.png',
    extra: { user: 'MarlowFinch', uploaded: '2021-05-01T10:00:00Z' },
  });
  expect(run.search({ text: 'coffee', cursor: page.next })).toMatchObject({ next: null });
});

test('the original is asked for, and sizes that the server makes', () => {
  const [{ media }] = run.search('coffee').items;
  expect(media.map(({ role, width }) => [role, width])).toEqual([
    ['original', 4000], ['large', 1600], ['regular', 800], ['small', 400], ['thumbnail', 330],
  ]);
  expect(media[0].url).toMatch(/\/revision\/latest\?cb=\d+&format=original$/);
  expect(media[2].url).toMatch(/\/revision\/latest\/scale-to-width-down\/800\?cb=\d+$/);
});

test('articles, categories and users are collections', () => {
  expect(run.collection('page:Copper Kettle').items).toHaveLength(2);
  expect(run.collection('Category:Maps').items).toHaveLength(3);
  expect(run.collection('User:QuietKettle').items).toHaveLength(1);
});

test('the feed is the newest files', () => {
  expect(run.feed().items).toHaveLength(4);
});

test('errors come with status 200', () => {
  cassette('errors');
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.search('search off')).toThrow({ message: 'title search is disabled. (search-title-disabled)' });
  expect(() => run.details('File:Not there.png')).toThrow('notFound');
});

test.each([
  ['https://kettles.fandom.com/wiki/File:Cup.png', 'File:Cup.png'],
  ['https://kettles.fandom.com/wiki/Category:Maps', 'Category:Maps'],
  ['https://kettles.fandom.com/wiki/Copper_Kettle', 'page:Copper_Kettle'],
  ['User:Anna', 'User:Anna'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});

test('nothing found has no `query` at all', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});
