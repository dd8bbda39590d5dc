// @ts-check
// Controls for a provider's own parameters, made from its manifest.

import { element } from './elements.js';
import { words } from './formats.js';
import { oneLine } from './text.js';

/** @typedef {import('./types.js').Parameter} Parameter */

/**
 * @param {string} provider @param {Parameter[]} parameters
 * @param {Record<string, string>} values By `PROVIDER.NAME`; changed as people choose.
 */
export function parameterControls(provider, parameters, values) {
  return element('div', { class: 'parameters' }, parameters.map((parameter) => {
    const key = `${provider}.${parameter.name}`;
    /** @param {string} value */
    const set = (value) => {
      if (value === '' || value === parameter.default) delete values[key];
      else values[key] = value;
    };
    return control(parameter, values[key] ?? '', set, `param-${provider}-${parameter.name}`);
  }));
}

/** @param {Parameter} parameter @param {string} value @param {(value: string) => void} set @param {string} id */
function control(parameter, value, set, id) {
  const label = words(parameter.name);
  const help = parameter.help ? element('small', { id: `${id}-help` }, oneLine(parameter.help, 200)) : null;
  const common = { id, 'aria-describedby': help ? `${id}-help` : null };
  /** @param {Event} event */
  const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;
  const unset = parameter.default ? `Default (${oneLine(parameter.default, 40)})` : 'Any';
  if (parameter.type === 'boolean' || parameter.type === 'choice') {
    const choices = parameter.type === 'boolean' ? { true: 'Yes', false: 'No' }
      : Object.fromEntries((parameter.values ?? []).map((choice) => [choice, words(choice)]));
    const select = element(
      'select', { ...common, onchange: (/** @type {Event} */ event) => set(valueOf(event)) },
      element('option', { value: '' }, unset),
      Object.entries(choices).map(([choice, text]) =>
        element('option', { value: choice, selected: choice === value }, text)),
    );
    return field(label, select, help);
  }
  if (parameter.type === 'list' && parameter.values?.length) {
    return manyOf(parameter, parameter.values, value, set, help);
  }
  const isNumber = parameter.type === 'integer' || parameter.type === 'number';
  const input = element('input', {
    ...common, value, type: isNumber ? 'number' : 'text', min: parameter.min, max: parameter.max,
    step: isNumber ? (parameter.type === 'integer' ? 1 : 'any') : null,
    placeholder: parameter.default ?? (parameter.type === 'list' ? 'one, another' : null),
    oninput: (/** @type {Event} */ event) => set(input.validity.valid ? valueOf(event).trim() : ''),
  });
  return field(label, input, help);
}

/** @param {string} label @param {HTMLElement} input @param {HTMLElement | null} help */
const field = (label, input, help) =>
  element('div', { class: 'field' }, element('label', { for: input.id }, label), input, help);

/**
 * @param {Parameter} parameter @param {string[]} choices @param {string} value @param {(value: string) => void} set
 * @param {HTMLElement | null} help
 */
function manyOf(parameter, choices, value, set, help) {
  const chosen = new Set(value.split(',').filter(Boolean));
  return element(
    'fieldset',
    { class: 'field' },
    element('legend', {}, words(parameter.name)),
    element('div', { class: 'choices' }, choices.map((choice) =>
      element('label', { class: 'chip-check' }, element('input', {
        type: 'checkbox', checked: chosen.has(choice),
        onchange: (/** @type {Event} */ event) => {
          if (/** @type {HTMLInputElement} */ (event.target).checked) chosen.add(choice);
          else chosen.delete(choice);
          set(choices.filter((name) => chosen.has(name)).join(','));
        },
      }), element('span', {}, words(choice))))),
    help,
  );
}
