const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a result is known by its address, and says which page shows it', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: 'https://beans.example/images/enamel-coffee-pot-on-a-blue-stove-0.jpeg',
      title: 'Enamel coffee pot on a blue stove',
      page: 'https://beans.example/enamel-coffee-pot-on-a-blue-stove',
      media: [
        { role: 'original', width: 4000, height: 3000, bytes: 1333333, format: 'jpeg' },
        { role: 'thumbnail', width: 140, height: 105 },
      ],
    });
  });

  test('says nothing of author and licence, which Google does not know', () => {
    expect(run.search('coffee').items[0]).not.toHaveProperty('author');
    expect(run.search('coffee').items[0]).not.toHaveProperty('license');
  });

  test('counts from 1', () => {
    expect(run.search({ text: 'coffee', offset: 10 }).items).toHaveLength(3); // start=11
    expect(run.search({ text: 'coffee', offset: 10 }).next).toBeNull();
  });

  test('rights are joined by a bar', () => {
    const params = { imgType: 'photo', rights: ['cc_publicdomain', 'cc_attribute'] };
    expect(run.search({ text: 'latte', params }).items.length).toBeGreaterThan(0);
  });
});

test('nothing found has no `items` at all', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});

test.each([['bad key', 'auth'], ['rate limit', 'rate'], ['disabled', 'blocked'], ['quota', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});
