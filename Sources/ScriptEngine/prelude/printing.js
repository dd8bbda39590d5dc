// Values for display, the same value always the same way: members by name, one to a line.
(function (isURL, isMatcher) {
  'use strict';
  const { getPrototypeOf, getOwnPropertyDescriptor, getOwnPropertySymbols, keys } = Object;
  const longest = 60_000;
  const deepest = 24;
  const typeOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

  /// A value line by line, shortened with an ellipsis past a limit.
  const print = (value) => new Printer('\n').text(value);

  /// A value on one line.
  function inline(value, most = 60) {
    const text = new Printer(' ').text(value);
    return text.length > most ? `${text.slice(0, most)}…` : text;
  }

  class Printer {
    #separator;
    #room = longest;
    #ancestors = [];

    constructor(separator) { this.#separator = separator; }

    text(value) {
      const text = this.#write(value, '');
      return text.length > longest ? `${text.slice(0, longest)}…` : text;
    }

    #write(value, indent) {
      const text = this.#leaf(value) ?? this.#branch(value, indent);
      this.#room -= text.length;
      return text;
    }

    #leaf(value) {
      switch (typeof value) {
        case 'string': return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
        case 'number': return Object.is(value, -0) ? '-0' : String(value);
        case 'bigint': return `${value}n`;
        case 'function': return `[Function ${nameOf(value) || 'without a name'}]`;
        case 'object': break;
        default: return String(value);
      }
      if (value === null) return 'null';
      if (isMatcher(value)) return value.description;
      if (isURL(value)) return `URL ${JSON.stringify(value.href)}`;
      switch (typeOf(value)) {
        case 'Date': return isNaN(value) ? 'Invalid Date' : `Date ${value.toISOString()}`;
        case 'RegExp': return String(value);
        case 'Error': return `[${inlineError(value)}]`;
        default: return undefined;
      }
    }

    #branch(value, indent) {
      if (this.#ancestors.includes(value)) return '[Circular]';
      if (this.#ancestors.length >= deepest || this.#room < 0) return '…';
      this.#ancestors.push(value);
      const inner = `${indent}  `;
      const [open, members, close] = this.#parts(value, inner);
      this.#ancestors.pop();
      if (!members.length) return open + close;
      if (this.#separator === ' ') return `${open} ${members.join(', ')} ${close}`.replace(/^\[ (.*) \]$/s, '[$1]');
      return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
    }

    #parts(value, indent) {
      if (Array.isArray(value)) return ['[', this.#list(value, indent), ']'];
      if (value instanceof Set) return ['Set {', this.#list([...value], indent), '}'];
      if (value instanceof Map) {
        const pair = ([key, member]) => `${this.#write(key, indent)} => ${this.#write(member, indent)}`;
        return ['Map {', [...value].map(pair), '}'];
      }
      const names = [...keys(value).sort(), ...getOwnPropertySymbols(value)];
      const members = [];
      for (const name of names) {
        if (this.#room < 0) {
          members.push('…');
          break;
        }
        const label = typeof name === 'symbol' ? `[${String(name)}]` : JSON.stringify(name);
        members.push(`${label}: ${this.#member(value, name, indent)}`);
      }
      const type = nameOf(getPrototypeOf(value)?.constructor);
      return [type && type !== 'Object' ? `${type} {` : '{', members, '}'];
    }

    #list(values, indent) {
      const members = [];
      for (let index = 0; index < values.length; index += 1) {
        if (this.#room < 0) {
          members.push('…');
          break;
        }
        members.push(this.#member(values, index, indent));
      }
      return members;
    }

    #member(value, name, indent) {
      let member;
      try { member = value[name]; } catch { return '[a getter that throws]'; }
      return this.#write(member, indent);
    }
  }

  function nameOf(value) {
    const name = typeof value === 'function' ? getOwnPropertyDescriptor(value, 'name')?.value : '';
    return typeof name === 'string' ? name : '';
  }

  function inlineError(error) {
    try { return `${error.name}: ${error.message}`; } catch { return 'an Error'; }
  }

  return { print, inline };
})
