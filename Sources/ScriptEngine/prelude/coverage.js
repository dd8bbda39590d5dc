// Counts what of a provider's files is reached. `acorn` reads a file; counters are put in without adding a line, and
// the places of what was put in are kept, so that errors have the places of the original file.
(function (acorn) {
  'use strict';
  const files = [];
  // Words that begin a line and belong to what comes after or before them.
  const passed = new Set([')', '}', ']', ';', ',', '?', ':', '??', '||', '&&', 'else', 'eof']);

  /// What a file becomes, as JSON: its text, the name its counters go by, and what was put in where.
  function instrument(file, source) {
    let plan;
    try {
      const tokens = [];
      const tree = acorn.parse(source, {
        ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true, locations: true,
        onToken: tokens,
      });
      let counter = '$reached';
      while (source.includes(counter)) counter += '_';
      plan = { ...planned(tree, counter), counter, lines: codeLines(tokens) };
    } catch (error) {
      files.push({ file, trouble: String(error?.message ?? error).slice(0, 300) });
      return JSON.stringify({});
    }
    const counts = new Float64Array(plan.size);
    files.push({ file, plan, counts });
    const { text, insertions } = inserted(source, plan.inserts);
    return JSON.stringify({ text, counter: plan.counter, insertions });
  }

  /// The counters of the file that was read last.
  const counters = () => files[files.length - 1].counts;

  /// Every line with code on it, and where its first word stands; a line of brackets says nothing.
  function codeLines(tokens) {
    const lines = new Map();
    for (const { type, start, loc } of tokens) {
      if (!lines.has(loc.start.line) && !passed.has(type.label)) lines.set(loc.start.line, start);
    }
    return lines;
  }

  // ── Where counters go ─────────────────────────────────────────────────────────────────────────────────────────

  function planned(tree, counter) {
    const inserts = [];
    const units = [];
    const functions = [];
    const conditions = [];
    let size = 0;

    const put = (at, text, isEnd = false) => inserts.push({ at, text, isEnd, order: inserts.length });
    const count = (index) => `${counter}[${index}]++`;

    function unit(start, end) {
      units.push({ start, end, index: size });
      size += 1;
      return size - 1;
    }

    /// `isBare`: where only one statement may stand, braces make room for the counter.
    function statement(node, isBare = false) {
      if (node.type === 'BlockStatement') return each(node.body);
      if (node.directive || node.type === 'FunctionDeclaration') return visit(node);
      if (node.type === 'EmptyStatement' && !isBare) return undefined;
      const index = unit(node.start, node.end);
      put(node.start, `${isBare ? '{' : ''}${count(index)};`);
      visit(node, undefined, index);
      if (isBare) put(node.end, '}', true);
      return index;
    }

    function each(statements) {
      for (const node of statements) statement(node);
    }

    /// A block or a single statement of its own, counted as a whole.
    function branch(node) {
      if (node.type !== 'BlockStatement') return statement(node, true);
      const index = unit(node.start, node.end);
      put(node.start + 1, `${count(index)};`);
      each(node.body);
      return index;
    }

    /// An expression, counted when it is evaluated.
    function expression(node) {
      const index = unit(node.start, node.end);
      put(node.start, `(${count(index)},`);
      visit(node);
      put(node.end, ')', true);
      return index;
    }

    function enter(node, name) {
      node.params.forEach((parameter) => visit(parameter));
      const { body } = node;
      let index;
      if (body.type === 'BlockStatement') {
        index = unit(body.start, body.end);
        // A directive has to stay first.
        const directive = body.body.filter((part) => part.directive).pop();
        put(directive ? directive.end : body.start + 1, `${directive ? ';' : ''}${count(index)};`);
        each(body.body);
      } else {
        index = expression(body);
      }
      functions.push({ name: name ?? node.id?.name ?? `(anonymous_${functions.length})`, line: node.loc.start.line, index });
    }

    function visit(node, name, index) {
      const line = node.loc.start.line;
      switch (node.type) {
        case 'FunctionDeclaration': case 'FunctionExpression': case 'ArrowFunctionExpression':
          return enter(node, name);
        case 'Program': case 'BlockStatement': case 'StaticBlock': return each(node.body);
        case 'IfStatement': {
          visit(node.test);
          const taken = branch(node.consequent);
          const other = node.alternate ? branch(node.alternate) : undefined;
          conditions.push({ line, branches: [{ index: taken }, other === undefined ? { index, less: taken } : { index: other }] });
          return undefined;
        }
        case 'ConditionalExpression': {
          visit(node.test);
          const branches = [node.consequent, node.alternate].map((part) => ({ index: expression(part) }));
          return void conditions.push({ line, branches });
        }
        case 'LogicalExpression':
          visit(node.left);
          return void conditions.push({ line, branches: [{ index: expression(node.right) }] });
        case 'SwitchStatement': return choice(node, line);
        case 'ForStatement': case 'ForInStatement': case 'ForOfStatement': case 'WhileStatement':
        case 'DoWhileStatement':
          for (const part of [node.init, node.left, node.right, node.test, node.update]) if (part) visit(part);
          return void (node.body.type === 'EmptyStatement' || statement(node.body, true));
        default: return children(node);
      }
    }

    function choice(node, line) {
      visit(node.discriminant);
      const branches = [];
      for (const { test, consequent, start, end } of node.cases) {
        if (test) visit(test);
        if (!consequent.length) continue;
        const index = unit(start, end);
        put(consequent[0].start, `${count(index)};`);
        branches.push({ index });
        each(consequent);
      }
      conditions.push({ line, branches });
    }

    function children(node) {
      const name = nameOfValue(node);
      for (const key of Object.keys(node)) {
        const value = node[key];
        const parts = Array.isArray(value) ? value : [value];
        for (const part of parts) {
          if (typeof part?.type === 'string') visit(part, key === 'value' || key === 'init' || key === 'right' ? name : undefined);
        }
      }
    }

    visit(tree);
    return { inserts, units, functions, conditions, size };
  }

  /// What a function that stands there is called by.
  function nameOfValue(node) {
    const place = { Property: node.key, MethodDefinition: node.key, PropertyDefinition: node.key, VariableDeclarator: node.id,
      AssignmentExpression: node.left?.property ?? node.left }[node.type];
    return place?.name ?? (typeof place?.value === 'string' ? place.value : undefined);
  }

  /// The text with everything put in, and for each piece its line (from 1), its column (from 0) and its length.
  function inserted(source, inserts) {
    // What ends at a place comes before what begins there; of those that end, the innermost, which was put in first.
    inserts.sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || a.order - b.order);
    const insertions = [];
    const pieces = [];
    let [at, line, start] = [0, 1, 0];
    const breaks = source.matchAll(/\r\n|[\n\r\u2028\u2029]/g);
    let next = breaks.next();
    for (const insert of inserts) {
      while (!next.done && next.value.index < insert.at) {
        line += 1;
        start = next.value.index + next.value[0].length;
        next = breaks.next();
      }
      pieces.push(source.slice(at, insert.at), insert.text);
      at = insert.at;
      insertions.push([line, insert.at - start, insert.text.length]);
    }
    pieces.push(source.slice(at));
    return { text: pieces.join(''), insertions };
  }

  // ── What was reached ──────────────────────────────────────────────────────────────────────────────────────────

  /// Everything that is known of every file, as JSON.
  const report = () => JSON.stringify(files.map(({ file, trouble, plan, counts }) => {
    if (!plan) return { file, trouble };
    const lines = [...plan.lines].map(([line, at]) => {
      const unit = innermost(plan.units, at);
      return [line, unit ? counts[unit.index] : 1];
    });
    const branches = plan.conditions.flatMap(({ line, branches: ways }, condition) => ways.map(({ index, less }) => (
      [line, condition, less === undefined ? counts[index] : Math.max(0, counts[index] - counts[less])])));
    return {
      file, lines, branches,
      functions: plan.functions.map(({ name, line, index }) => ({ name: String(name).slice(0, 200), line, count: counts[index] })),
    };
  }));

  function innermost(units, at) {
    let best;
    for (const unit of units) {
      if (unit.start <= at && at < unit.end && (!best || unit.end - unit.start <= best.end - best.start)) best = unit;
    }
    return best;
  }

  return { instrument, counters, report };
})
