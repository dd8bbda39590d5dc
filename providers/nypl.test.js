const { test, expect, run, cassette } = require('imgscript/test');

const TRAM = 'fe0bdb51-54d4-51b1-8e3e-c95063a8fb17';
const BOOK = 'ade60ced-e3de-54ed-8f71-a21210f9c080';

test('an item says who made it, when, and what it shows', () => {
  expect(run.details(TRAM)).toMatchObject({
    id: TRAM,
    title: 'Quiet tram',
    page: `https://digitalcollections.nypl.org/items/${TRAM}`,
    tags: ['Cups', 'Saucers', 'Prints'],
    author: { name: 'Fernwick, Odalys (Artist)' },
    credit: 'The Invented Division, The New York Public Library.',
    license: { id: 'cc0-1.0' },
    created: '1890',
    extra: { image_id: '56730001' },
  });
});

test('no size is asked for that the server refuses', () => {
  const stem = 'https://iiif.nypl.org/iiif/3/56730001/full';
  expect(run.details(TRAM).media.map((file) => file.url)).toEqual([
    `${stem}/max/0/default.jpg`, `${stem}/300,/0/default.jpg`, `${stem}/150,/0/default.jpg`,
  ]);
});

test('all pictures of an item are a collection, and each has an id', () => {
  const { items } = run.collection(`views:${BOOK}`);
  expect(items.map((item) => item.extra?.label)).toEqual(['1', '2', '3']);
  expect(items[1]).toMatchObject({ license: { id: 'other' }, created: '1901', createdUntil: '1903' });
  expect(run.details(String(items[1].id))).toEqual(items[1]);
});

test('a collection lists items, and collections in it', () => {
  const { items } = run.collection('collection:1fb6e75f-c21c-51af-b6eb-e64038e2dfda');
  expect(items.map((item) => [item.type, item.title])).toEqual([
    ['image', 'Quiet tram'], ['image', 'Book of saucers'], ['collection', 'Trams at night'],
  ]);
  expect(items[2].id).toBe('collection:6f6cc1e0-8576-51cb-9385-3140bbaaf16b');
});

test('an item that is not there, or has no picture, is notFound', () => {
  cassette('errors');
  expect(() => run.details('none')).toThrow('notFound');
  const message = 'The item has no picture.';
  expect(() => run.details('38721ab4-d941-5afe-b1c8-5115e396d742')).toThrow({ kind: 'notFound', message });
  expect(() => run.collection('views:38721ab4-d941-5afe-b1c8-5115e396d742')).toThrow({ kind: 'notFound', message });
});

test('a challenge is blocked', () => {
  cassette('errors');
  expect(() => run.details('9733435c-1542-59ae-97c6-12b0129bff4a')).toThrow('blocked');
});

test.each([
  ['https://digitalcollections.nypl.org/items/abc', 'abc', 'image'],
  ['https://digitalcollections.nypl.org/items/abc?canvasIndex=0', 'abc', 'image'],
  ['https://digitalcollections.nypl.org/collections/abc', 'collection:abc', 'collection'],
  ['https://api-collections.nypl.org/manifests/abc', 'abc', 'image'],
])('%s is %s', (address, id, type) => {
  expect(run.match(address)).toMatchObject({ id, type });
});
