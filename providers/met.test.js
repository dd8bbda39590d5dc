const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('works without a picture are left out, and paging goes on behind them', () => {
    const page = run.search({ text: 'coffee', limit: 20 });
    expect(page.total).toBe(26);
    expect(page.next).toBe(20);
    expect(page.items.length).toBeLessThan(20);
    for (const { media } of page.items) expect(media[0]).toMatchObject({ role: 'original' });
  });

  test('the last page has no next', () => {
    const page = run.search({ text: 'coffee', limit: 20, cursor: 20 });
    expect(page.next).toBeNull();
    expect(page.items.length).toBeGreaterThan(0);
  });

  test('a work without a title is named after what it is', () => {
    expect(run.search({ text: 'coffee', limit: 20 }).items[0]).toMatchObject({ id: '990000', title: 'Coffeepot' });
  });
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], total: 0 });
});

test('the guard’s page is told of as what it is', () => {
  cassette('errors');
  expect(() => run.search('blocked')).toThrow('blocked');
});
