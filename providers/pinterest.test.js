const { test, expect, run, cassette } = require('imgscript/test');

test('own pins are found, with every size; films are passed over', () => {
  cassette('search');
  const page = run.search('coffee');
  expect(page.items).toHaveLength(5);
  expect(page.items[1]).toMatchObject({
    title: 'Lattes by the window',
    description: 'A note about lattes by the window',
    page: 'https://www.pinterest.com/pin/813550000001/',
    author: { name: 'marlowfinch' },
    created: '2026-02-11T08:30:00',
    colors: ['#a40915'],
  });
  expect(page.items[1].media.map(({ role, width }) => [role, width])).toEqual([
    ['original', 1200], ['large', 600], ['regular', 400], ['thumbnail', 150],
  ]);
  expect(run.search({ text: 'coffee', cursor: page.next })).toMatchObject({ next: null });
});

test('boards are collections, secret ones too', () => {
  cassette('collection');
  const boards = run.collection('boards:me').items;
  expect(boards.map(({ title, extra }) => [title, extra?.privacy])).toEqual([
    ['Pots', 'PUBLIC'], ['Kitchen, some day', 'SECRET'],
  ]);
  expect(run.collection(`${boards[0].id}`).items).toHaveLength(3);
});

test('a pin has its address', () => {
  expect(run.match('https://www.pinterest.com/pin/813550000001/')).toHaveProperty('id', '813550000001');
  expect(run.details('813550000001').title).toBe('Lattes by the window');
});

test('errors are said in the words of Pinterest', () => {
  cassette('errors');
  expect(() => run.search('refused')).toThrow({ kind: 'auth', message: 'Authentication failed. (2)' });
  expect(() => run.search('fast')).toThrow('rate');
});

test('what is not among them is an empty page', () => {
  cassette('empty');
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});
