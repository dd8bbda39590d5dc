// `require('imgscript/test')`: what a test file declares, and how one of its tests is run. Read only with a test file.
(function (native, parts, hooks) {
  'use strict';
  const { freeze, defineProperty } = Object;
  const mostTests = 2000;
  const mostText = 4000;
  const mostSnapshots = 500;
  const kinds = ['auth', 'rate', 'notFound', 'blocked', 'unsupported', 'changed', 'script', 'result', 'timeout',
    'memory', 'worker', 'transport', 'provider'];

  const equality = parts.equality();
  const printing = parts.printing(equality.isURL, equality.isMatcher);
  const { inline } = printing;
  const session = { count, plan, snapshot };
  const { expect, failures, fail } = parts.matchers(equality, printing, kinds, session);
  const faults = new WeakMap();
  const tests = [];
  let group = { names: [], mark: 'none', before: [], cassettes: undefined };
  let current = null;
  let kept = {};
  let updates = false;

  // ── What a file declares ──────────────────────────────────────────────────────────────────────────────────────

  function declare(mark, name, work) {
    if (current) throw new Error('test: a test cannot declare another; write test beside it');
    if (typeof name !== 'string' || !name) throw new TypeError(`test: expected a name, found ${inline(name)}`);
    if (mark !== 'todo' && typeof work !== 'function') {
      throw new TypeError(`test: expected a function, found ${inline(work)}`);
    }
    if (tests.length >= mostTests) throw new RangeError(`a test file has at most ${mostTests} tests`);
    const names = group.names;
    const { stack } = new Error();
    tests.push({ groups: names, name: name.slice(0, 300), mark: stronger(group.mark, mark), work, group, stack });
  }

  /// What is skipped stays so whatever is inside; `only` reaches everything inside.
  const stronger = (outer, inner) => ([outer, inner].includes('skip') ? 'skip' : inner === 'none' ? outer : inner);

  function gather(mark, name, work) {
    if (current) throw new Error('describe: a test cannot declare another; write it beside the test');
    if (typeof work !== 'function') throw new TypeError(`describe: expected a function, found ${inline(work)}`);
    const outer = group;
    if (outer.names.length >= 20) throw new RangeError('describe: nested too deeply');
    const names = [...outer.names, String(name).slice(0, 300)];
    group = { names, mark: stronger(outer.mark, mark), before: [], outer };
    try {
      if (work() instanceof Promise) throw new TypeError('describe: expected a plain function, found an async one');
    } finally {
      group = outer;
    }
  }

  /// `each(table)(name, work)`: one declaration for every row.
  const each = (mark, add) => (table, ...holes) => {
    const rows = Array.isArray(table?.raw) ? fromTemplate(table, holes) : table;
    if (!Array.isArray(rows)) throw new TypeError(`each: expected a list of rows, found ${inline(rows)}`);
    return (name, work) => {
      rows.forEach((row, index) => {
        const values = Array.isArray(row) ? row : [row];
        add(mark, titled(String(name), values, index), () => work(...values));
      });
    };
  };

  /// The rows of a table in a template: its first line names the columns.
  function fromTemplate(texts, holes) {
    const [head] = texts[0].trim().split('\n');
    const names = head.split('|').map((name) => name.trim()).filter(Boolean);
    const rows = [];
    for (let at = 0; at < holes.length; at += names.length) {
      rows.push(Object.fromEntries(names.map((name, index) => [name, holes[at + index]])));
    }
    return rows;
  }

  /// `%s %d %i %f %j %o %p` take the row's values in turn, `%#` its index, `$name.part` a member of a row that is an
  /// object.
  function titled(name, values, index) {
    let next = 0;
    const filled = name.replace(/%([sdifjop#%])/g, (whole, kind) => {
      if (kind === '%') return '%';
      if (kind === '#') return String(index);
      if (next >= values.length) return whole;
      const value = values[next];
      next += 1;
      if (kind === 's') return typeof value === 'object' ? inline(value) : String(value);
      if ('dif'.includes(kind)) return String(kind === 'i' ? Math.trunc(Number(value)) : Number(value));
      return inline(value);
    });
    const row = values[0];
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return filled;
    return filled.replace(/\$([\w.]+)/g, (whole, path) => {
      const value = path.split('.').reduce((object, key) => object?.[key], row);
      return value === undefined ? whole : typeof value === 'string' ? value : inline(value);
    });
  }

  function marked(add, more) {
    const make = (mark) => Object.assign((name, work) => add(mark, name, work), { each: each(mark, add) });
    const skip = freeze(make('skip'));
    const only = freeze(make('only'));
    return freeze(Object.assign(make('none'), { skip, only, ...more }));
  }
  const describe = marked(gather);
  const test = marked(declare, { todo: (name) => declare('todo', name) });

  function beforeEach(work) {
    if (typeof work !== 'function') throw new TypeError(`beforeEach: expected a function, found ${inline(work)}`);
    if (current) throw new Error('beforeEach: a test is running; write it beside the test');
    group.before.push(work);
  }

  /// In a test: for its rest; beside tests: for those of this group.
  function cassette(...names) {
    for (const name of names) {
      if (typeof name === 'string') continue;
      throw new TypeError(`cassette: expected a name such as 'search', found ${inline(name)}`);
    }
    (current ?? group).cassettes = names.map((name) => name.replace(/\.json$/, ''));
  }

  // ── Asking the provider ───────────────────────────────────────────────────────────────────────────────────────

  function ask(operation, values) {
    if (!current) throw new Error(`run.${operation}: nothing runs while the file is read; call it in a test`);
    const answer = native.operate(operation, values, current.cassettes ?? []);
    return answer.fault ? raise(answer.fault) : answer.result;
  }

  /// The provider's error, as a script can look at it.
  function raise({ kind, message, path, operation, place, description }) {
    const error = defineProperty(new Error(message), 'name', { value: 'ProviderError' });
    for (const [name, value] of Object.entries({ kind, path, operation, place })) {
      if (value !== undefined) defineProperty(error, name, { value, enumerable: true });
    }
    faults.set(error, description);
    throw error;
  }

  const query = (value) => (typeof value === 'string' ? { text: value } : value ?? {});
  const isObject = (value) => typeof value === 'object' && value !== null;
  const item = (value, type) => ({ type, media: [], ...(isObject(value) ? value : { id: value }) });
  const run = freeze({
    search: (value) => ask('search', [query(value)]),
    feed: (value) => ask('feed', [query(value)]),
    details: (value) => ask('details', [item(value, 'image')]),
    collection: (value, more) => ask('collection', [item(value, 'collection'), query(more)]),
    similar: (value) => ask('similar', [query(value)]),
    download: (media, of) => ask('download', [[media], item(of, 'image')]),
    match: (text) => {
      if (!current) throw new Error('run.match: nothing runs while the file is read; call it in a test');
      if (typeof text !== 'string') throw new TypeError(`run.match: expected a text, found ${inline(text)}`);
      return native.match(text);
    },
  });

  // ── Running one ───────────────────────────────────────────────────────────────────────────────────────────────

  function count() { if (current) current.expectations += 1; }

  function plan(number) { if (current) current.planned = number ?? 'some'; }

  /// Begins a test. It may go on in microtasks, since an `await` gives way even where there is nothing to wait for.
  function perform(index) {
    const { groups, name, group: own, work } = tests[index];
    const before = [];
    let cassettes;
    for (let at = own; at; at = at.outer) {
      before.unshift(...at.before);
      cassettes ??= at.cassettes;
    }
    current = {
      name: [...groups, name].join(' › '), cassettes, expectations: 0, planned: undefined, isOver: false, failure: null,
      numbers: new Map(), snapshots: [], room: 1 << 20,
    };
    proceed(current, [...before, work], 0);
  }

  function proceed(state, steps, from) {
    for (let at = from; at < steps.length; at += 1) {
      let result;
      try { result = steps[at](); } catch (error) { return finish(state, error); }
      if (result instanceof Promise) {
        result.then(() => proceed(state, steps, at + 1), (error) => finish(state, error));
        return undefined;
      }
    }
    return finish(state);
  }

  function finish(state, ...errors) {
    state.isOver = true;
    if (errors.length) state.failure = explained(errors[0]);
  }

  /// What came of the test that `perform` began, as JSON.
  function outcome() {
    const { isOver, failure, planned, expectations, snapshots } = current;
    current = null;
    let problem = failure;
    if (!isOver) {
      problem = { message: 'the test waits for a promise that nothing keeps; run gives its results at once' };
    }
    if (!problem && planned === 'some' && !expectations) {
      problem = { message: 'expected some expectations, found none' };
    }
    if (!problem && typeof planned === 'number' && planned !== expectations) {
      problem = { message: `expected ${planned} expectations, found ${expectations}` };
    }
    return JSON.stringify({ failure: problem, expectations, snapshots });
  }

  function explained(error) {
    const read = (key) => {
      try { return typeof error[key] === 'string' ? error[key] : ''; } catch { return ''; }
    };
    const stack = read('stack').slice(0, 8000);
    if (failures.has(error)) {
      return { message: read('message').slice(0, mostText), stack, ...failures.get(error) };
    }
    if (faults.has(error)) {
      return { message: faults.get(error).slice(0, mostText), stack, kind: read('kind') };
    }
    return JSON.parse(hooks.describeThrown(error));
  }

  // ── Snapshots ─────────────────────────────────────────────────────────────────────────────────────────────────

  /// Compares a value with what was kept under the test's name, a hint and a number.
  function snapshot(value, hint, print) {
    if (!current) throw new Error('toMatchSnapshot: there is no test to name it after');
    if (current.snapshots.length >= mostSnapshots) {
      throw new RangeError(`toMatchSnapshot: one test has at most ${mostSnapshots} snapshots`);
    }
    const title = hint === undefined ? current.name : `${current.name}: ${String(hint).slice(0, 200)}`;
    const number = (current.numbers.get(title) ?? 0) + 1;
    current.numbers.set(title, number);
    const name = `${title} ${number}`;
    const place = hooks.unwritable(value, true) || hooks.unwritable(value, false);
    const json = place ? undefined : JSON.stringify(value);
    if (json === undefined) {
      const what = place ? JSON.parse(place).found : inline(value);
      throw new TypeError(`toMatchSnapshot: expected a JSON value, found ${what}`);
    }
    current.room -= json.length;
    if (current.room < 0) throw new RangeError('toMatchSnapshot: the snapshots of one test have at most 1 MB');
    const found = JSON.parse(json);
    const isKept = Object.hasOwn(kept, name);
    const state = !isKept ? 'added' : equality.equals(found, kept[name]) ? 'matched' : updates ? 'changed' : 'differs';
    current.snapshots.push({ name, json, state });
    if (state !== 'differs') return { pass: true, expected: 'the snapshot' };
    return fail(`toMatchSnapshot: the value is not the one kept as "${name}"`, print(kept[name]), print(found));
  }

  // ── What the host and the file get ────────────────────────────────────────────────────────────────────────────

  function begin(snapshots, isUpdate) {
    kept = snapshots;
    updates = isUpdate;
  }

  /// The tests of the file, as JSON.
  const found = () => JSON.stringify(tests.map(({ groups, name, mark, stack }) => (
    { groups, name, mark, stack: stack.slice(0, 1000) })));

  const library = freeze({ test, it: test, describe, beforeEach, cassette, expect, run });
  for (const [name, value] of Object.entries(library)) {
    defineProperty(globalThis, name, { value, writable: false, configurable: false });
  }
  hooks.provide('imgscript/test', library);
  return { begin, found, perform, outcome };
})
