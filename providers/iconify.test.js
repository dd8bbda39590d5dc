const { test, expect, run } = require('imgscript/test');

test('an icon has the licence of its set', () => {
  const [icon, , emoji] = run.search('cup').items;
  expect(icon).toMatchObject({
    id: 'inv:cup-hot', title: 'cup hot', author: { name: 'Marlow Finch' }, license: { id: 'apache-2.0', name: 'Apache 2.0' },
    media: [{ role: 'original', url: 'https://api.iconify.design/inv/cup-hot.svg', format: 'svg' }, { role: 'thumbnail' }],
  });
  expect(emoji.license).toMatchObject({ id: 'cc-by-4.0' });
});

test('pages are parts of one answer', () => {
  const first = run.search('cup');
  expect(first).toMatchObject({ total: 70, next: 64 });
  expect(run.search({ text: 'cup', cursor: first.next })).toMatchObject({ total: 70, next: null });
});

test('a set that is hidden is not listed', () => {
  expect(run.feed().items.map(({ id, type }) => [id, type])).toEqual([['set:inv', 'collection'], ['set:sample-emoji', 'collection']]);
});

test('an icon of a set is filed under its category', () => {
  expect(run.collection('set:inv').items.map(({ id, tags }) => [id, tags?.at(-1)])).toEqual([
    ['inv:spoon', 'UI 24px'], ['inv:cup-hot', 'Kitchen'], ['inv:teapot', 'Kitchen'],
  ]);
});

test('an icon that is not there is notFound', () => {
  expect(() => run.details('inv:nothing')).toThrow({ kind: 'notFound' });
  expect(() => run.collection('set:none')).toThrow('notFound');
});

test.each([
  ['https://icon-sets.iconify.design/mdi/home/', 'mdi:home'], ['https://api.iconify.design/mdi/home.svg', 'mdi:home'],
  ['https://icones.js.org/collection/mdi', 'set:mdi'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});
