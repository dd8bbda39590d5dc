// @ts-check
// Which providers are asked, with what options.

import { button } from './button.js';
import { element, fill, icon } from './elements.js';
import { keyForm, removeKeyButton } from './key-form.js';
import { parameterControls } from './parameter-controls.js';
import { outwardLink } from './formats.js';
import { counted, isolated, oneLine } from './text.js';

/** @typedef {import('./types.js').Provider} Provider */

/**
 * Opens the list of sources over the page.
 * @param {import('./gallery.js').Gallery} gallery
 */
export function chooseSources(gallery) {
  let { providers } = gallery;
  const { query } = gallery.state;
  const defaults = providers.filter((provider) => provider.isDefault).map(({ id }) => id);
  const all = query.providers.includes('all');
  const chosen = new Set(all ? providers.map(({ id }) => id) : query.providers.length ? query.providers : defaults);
  const parameters = { ...query.parameters };
  let near = query.near;
  const kind = query.isFeed ? 'feed' : 'search';
  const list = element('ul', { class: 'source-list', role: 'list' });
  const apply = element('button', { class: 'button is-primary', type: 'submit' });
  const search = element('input', { type: 'search', placeholder: 'Find a source', 'aria-label': 'Find a source', oninput: () => show() });
  const nearField = element('input', { id: 'near', type: 'text', value: near, inputmode: 'text', placeholder: '52.52, 13.40', pattern: '\\s*-?[0-9.]+\\s*,\\s*-?[0-9.]+\\s*', oninput: () => (near = nearField.value.replace(/\s+/g, '')) });
  const nearBlock = element('div', { class: 'field near-field' }, element('label', { for: 'near' }, 'Around a point'), nearField, element('small', {}, 'Latitude and longitude, for sources that can search by place.'));

  /** @type {HTMLDialogElement} */
  const dialog = element(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'sources-title' },
    element(
      'form',
      {
        class: 'sheet-form', method: 'dialog',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const text = query.isFeed || query.collection ? query.text : gallery.field.value.trim();
          const filters = { ...gallery.state.filters, sources: [] };
          gallery.go({ filters, query: { ...query, text, providers: asChosen(), near, parameters: Object.fromEntries(Object.entries(parameters).filter(([key]) => chosen.has(key.split('.')[0]))) } });
          dialog.close();
        },
      },
      element('header', { class: 'sheet-header' }, element('h2', { id: 'sources-title' }, 'Sources'), button({ icon: 'close', label: 'Close', isIconOnly: true, onclick: () => dialog.close() })),
      element(
        'div', { class: 'sheet-tools' }, search,
        element('div', { class: 'form-bar' },
          button({ label: 'Default', class: 'is-quiet', onclick: () => choose(defaults) }),
          button({ label: 'All', class: 'is-quiet', onclick: () => choose(providers.filter(isReady).map(({ id }) => id)) }),
          button({ label: 'None', class: 'is-quiet', onclick: () => choose([]) })),
      ),
      element('div', { class: 'sheet-body', tabindex: -1 }, list, nearBlock),
      element('footer', { class: 'sheet-footer' }, apply),
    ),
  );

  /** @param {Provider} provider */
  const isReady = (provider) => (provider.key !== 'required' || provider.hasKey) && !provider.needsServer;
  const asChosen = () => {
    const ids = providers.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
    if (ids.length === providers.length) return ['all'];
    return ids.length === defaults.length && ids.every((id) => defaults.includes(id)) ? [] : ids;
  };
  /** @param {string[]} ids */
  const choose = (ids) => {
    chosen.clear();
    for (const id of ids) chosen.add(id);
    show();
  };
  const count = () => {
    apply.textContent = chosen.size ? `Use ${counted(chosen.size, 'source')}` : 'Choose a source';
    apply.disabled = chosen.size === 0;
    nearBlock.hidden = !providers.some((provider) => chosen.has(provider.id) && provider.operations.some((operation) => operation.near));
  };
  const show = () => {
    const words = search.value.trim().toLowerCase();
    const found = providers.filter((provider) => `${provider.name} ${provider.id} ${provider.summary ?? ''}`.toLowerCase().includes(words));
    const ordered = [...found].sort((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)) || a.name.localeCompare(b.name));
    fill(list, ordered.map((provider) => row(provider)));
    if (!found.length) fill(list, element('li', { class: 'empty-line' }, 'No matching source.'));
    count();
  };
  const keyChanged = async () => {
    await gallery.loadProviders();
    providers = gallery.providers;
    show();
  };

  /** @param {Provider} provider */
  const row = (provider) => {
    const own = provider.operations.find((operation) => operation.kind === kind)?.parameters ?? [];
    const options = element('div', { class: 'source-options' });
    const showOptions = () => {
      const isSet = Object.keys(parameters).some((key) => key.startsWith(`${provider.id}.`));
      fill(options, chosen.has(provider.id) && own.length ? element('details', { open: isSet }, element('summary', { class: 'link' }, 'Options'), parameterControls(provider.id, own, parameters)) : null);
    };
    showOptions();
    const box = element('input', {
      type: 'checkbox', checked: chosen.has(provider.id), disabled: provider.needsServer,
      onchange: () => {
        if (box.checked) chosen.add(provider.id);
        else chosen.delete(provider.id);
        showOptions();
        count();
      },
    });
    return element(
      'li',
      { class: 'source' },
      element('label', { class: 'source-label' }, box, element('span', { class: 'source-text' },
        element('span', { class: 'source-name' }, isolated(provider.name, 60)),
        element('span', { class: 'source-summary', dir: 'auto' }, oneLine(provider.summary, 140)),
        provider.needsServer ? element('span', { class: 'badge' }, 'Needs a server: start imgscript gallery with --instance') : null)),
      provider.key === 'none' ? null : keyPart(provider, keyChanged),
      provider.notice ? element('p', { class: 'source-notice', dir: 'auto' }, oneLine(provider.notice, 300)) : null,
      options,
    );
  };

  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  show();
  dialog.showModal();
}

/** @param {Provider} provider @param {() => void} onchange */
function keyPart(provider, onchange) {
  if (provider.hasKey) return element('div', { class: 'source-key' }, element('span', { class: 'badge' }, icon('key'), 'Key stored'), removeKeyButton(provider, onchange));
  return element(
    'details',
    { class: 'source-key' },
    element('summary', { class: 'link' }, provider.key === 'required' ? 'Needs a key' : 'Key optional'),
    keyForm(provider, { onstored: onchange }),
    provider.homepage ? outwardLink(provider.homepage, 'About this source') : null,
  );
}
