const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a search', () => {
  cassette('search');

  test('gives pictures with the page that shows them', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{20}$/),
      title: 'Lopsided coffee cup',
      page: 'https://pictures0.example/articles/0',
      media: [{ role: 'original', width: 4000, height: 3000 }, { role: 'thumbnail', width: 500, height: 375 }],
      extra: { source: 'pictures0.example', confidence: 'high' },
    });
  });

  test('has a picture once, though several results show it', () => {
    expect(run.search('coffee').items).toHaveLength(22); // of 23
  });

  test('knows the size of most', () => {
    expect(run.search('coffee').items[3].media[0]).not.toHaveProperty('width');
  });

  test('is one page', () => {
    expect(run.search('coffee').next).toBeNull();
  });

  test('may be of another country, and not filtered', () => {
    expect(run.search({ text: 'coffee', params: { country: 'DE', safesearch: 'off' } }).items).toHaveLength(3);
  });
});

test.each([
  ['bad key', 'auth', 'The provided subscription token is invalid.'],
  ['too fast', 'rate', 'Request rate limit exceeded for plan.'],
  ['other plan', 'auth', 'The option is not subscribed in the plan.'],
])('"%s" is %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('a parameter that is not known is said', () => {
  cassette('errors');
  const message = 'Unable to validate request parameter(s) Input should be a known country.';
  const search = () => run.search({ text: 'bad country', params: { country: 'XX' } });
  expect(search).toThrow({ kind: 'unsupported', message });
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});
