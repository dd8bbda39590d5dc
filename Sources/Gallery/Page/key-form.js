// @ts-check
// Takes the key of a provider that lacks one, and says where to get it. What is stored never comes back.

import * as api from './api-actions.js';
import { button } from './button.js';
import { element, icon } from './elements.js';
import { outwardLink, webAddress, words } from './formats.js';
import { isolated, oneLine } from './text.js';
import { announce } from './toast.js';

/**
 * @param {import('./types.js').Provider} provider @param {{ keyPage?: string | null, onstored: () => void }} options
 */
export function keyForm(provider, { keyPage = provider.keyPage, onstored }) {
  const names = provider.secrets?.length ? provider.secrets : ['key'];
  const problem = element('p', { class: 'form-error', role: 'alert' });
  const fields = names.map((name) => {
    const label = names.length === 1 ? `Key for ${provider.name}` : words(name);
    const input = element('input', {
      name, type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, maxlength: 4096,
    });
    return element('label', { class: 'field' }, element('span', {}, label), input);
  });
  const form = element(
    'form',
    {
      class: 'key-form',
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        problem.textContent = '';
        const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
        const values = Object.fromEntries(entries);
        try {
          await api.storeKey(provider.id, values);
          form.reset();
          onstored();
        } catch (error) {
          problem.textContent = error instanceof Error ? error.message : String(error);
        }
      },
    },
    webAddress(keyPage)
      ? element('p', {}, outwardLink(keyPage, 'Get a key from ', isolated(provider.name, 60), ' ', icon('external')))
      : provider.keyHelp ? element('p', { dir: 'auto' }, oneLine(provider.keyHelp, 300)) : null,
    fields,
    element('div', { class: 'form-bar' },
      element('button', { class: 'button is-primary', type: 'submit' }, 'Store key')),
    problem,
  );
  return form;
}

/**
 * Offers to take a stored key away.
 * @param {import('./types.js').Provider} provider @param {() => void} onremoved
 */
export function removeKeyButton(provider, onremoved) {
  return button({
    label: 'Remove stored key', class: 'is-quiet',
    onclick: async () => {
      try {
        await api.removeKey(provider.id);
        onremoved();
      } catch (error) {
        announce(error instanceof Error ? error.message : String(error));
      }
    },
  });
}
