// @ts-check
// Which providers are asked, with what options.

import { listingAddress } from './address.js';
import { button } from './button.js';
import { element, fill, icon } from './elements.js';
import { outwardLink } from './formats.js';
import { keep } from './kept.js';
import { keyForm, removeKeyButton } from './key-form.js';
import { parameterControls } from './parameter-controls.js';
import { groupsOf, isReady, shownSources } from './source-groups.js';
import { counted, isolated, oneLine } from './text.js';
import { chosenSources } from './titles.js';

/** @typedef {import('./types.js').Provider} Provider */
/** @typedef {import('./gallery.js').Gallery} Gallery */

/**
 * Opens the list of sources over the page.
 * @param {Gallery} gallery
 */
export function chooseSources(gallery) {
  new SourcePicker(gallery).open();
}

class SourcePicker {
  #list = element('div', { class: 'source-groups' });
  #apply = element('button', { class: 'button is-primary', type: 'submit' });
  #search = element('input', {
    type: 'search', placeholder: 'Find a source', 'aria-label': 'Find a source', oninput: () => this.#show(),
  });
  #near = element('input', {
    id: 'near', type: 'text', placeholder: '52.52, 13.40', pattern: '\\s*-?[0-9.]+\\s*,\\s*-?[0-9.]+\\s*',
  });
  #nearBlock = element('div', { class: 'field near-field' },
    element('label', { for: 'near' }, 'Around a point'), this.#near,
    element('small', {}, 'Latitude and longitude, for sources that can search by place.'));
  #dialog = element('dialog', { class: 'sheet', 'aria-labelledby': 'sources-title' });

  /** @param {Gallery} gallery */
  constructor(gallery) {
    this.gallery = gallery;
    const { query } = gallery.state.address;
    const { providers: names, parameters } = chosenSources(gallery.state);
    this.kind = query.isFeed ? 'feed' : 'search';
    this.parameters = { ...parameters };
    this.#near.value = query.near;
    /** @type {Set<string>} */
    this.chosen = new Set(names.length ? names : this.#defaults);
    if (names.includes('all')) this.chosen = new Set(gallery.state.providers.map(({ id }) => id));
  }

  get #providers() {
    const { providers, kept } = this.gallery.state;
    return shownSources(providers, kept, ({ id, isDefault }) => isDefault || this.chosen?.has(id));
  }

  get #defaults() {
    return this.#providers.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  }

  get #ready() {
    return this.#providers.filter(isReady).map(({ id }) => id);
  }

  open() {
    const dialog = this.#dialog;
    const form = element(
      'form', { class: 'sheet-form', method: 'dialog' },
      element('header', { class: 'sheet-header' }, element('h2', { id: 'sources-title' }, 'Sources'),
        button({ icon: 'close', label: 'Close', isIconOnly: true, onclick: () => dialog.close() })),
      element('div', { class: 'sheet-tools' }, this.#search, element('div', { class: 'form-bar' },
        button({ label: 'Default', class: 'is-quiet', onclick: () => this.#choose(this.#defaults) }),
        button({ label: 'All', class: 'is-quiet', onclick: () => this.#choose(this.#ready) }),
        button({ label: 'None', class: 'is-quiet', onclick: () => this.#choose([]) }))),
      element('div', { class: 'sheet-body', tabindex: -1 },
        this.#libraryLink(), this.#nearBlock, this.#list, this.#adultBlock()),
      element('footer', { class: 'sheet-footer' }, this.#apply),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const parameters = Object.fromEntries(
        Object.entries(this.parameters).filter(([key]) => this.chosen.has(key.split('.')[0])));
      const near = this.#near.value.replace(/\s+/g, '');
      this.gallery.chooseAmong({ providers: this.#asChosen(), near, parameters });
      dialog.close();
    });
    dialog.append(form);
    document.body.append(dialog);
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    this.#show();
    dialog.showModal();
  }

  /** What was downloaded is a source by itself. */
  #libraryLink() {
    const { text, isFeed, collection } = this.gallery.state.address.query;
    const query = { isLibrary: true, text: isFeed || collection ? '' : text };
    const hint = query.text ? `Search them for “${oneLine(query.text, 40)}”` : 'Everything in their folder';
    return element('a', {
      class: 'library-link', href: listingAddress(query),
      onclick: (/** @type {MouseEvent} */ event) => {
        this.gallery.navigation.follow(event);
        this.#dialog.close();
      },
    }, icon('folder'), element('span', {}, element('strong', {}, 'Your downloads'), element('small', {}, hint)));
  }

  /** Sources for adults are a setting. */
  #adultBlock() {
    const { store } = this.gallery;
    if (!this.gallery.state.providers.some(({ adult }) => adult)) return null;
    const { settings } = store.state.kept;
    const box = element('input', {
      type: 'checkbox', checked: Boolean(settings.showsAdult),
      onchange: () => {
        keep(store, 'settings', { ...store.state.kept.settings, showsAdult: box.checked });
        this.#show();
      },
    });
    return element('label', { class: 'check adult-check' }, box, element('span', {}, 'List sources for adults'));
  }

  /** The names for the address: none for the default ones. */
  #asChosen() {
    const ids = this.#providers.filter(({ id }) => this.chosen.has(id)).map(({ id }) => id);
    if (ids.length === this.gallery.state.providers.length) return ['all'];
    const defaults = this.#defaults;
    return ids.length === defaults.length && ids.every((id) => defaults.includes(id)) ? [] : ids;
  }

  /** @param {string[]} ids */
  #choose(ids) {
    this.chosen.clear();
    for (const id of ids) this.chosen.add(id);
    this.#show();
  }

  #count() {
    const { chosen } = this;
    this.#apply.textContent = chosen.size ? `Use ${counted(chosen.size, 'source')}` : 'Choose a source';
    this.#apply.disabled = chosen.size === 0;
    const asked = this.#providers.filter(({ id }) => chosen.has(id));
    this.#nearBlock.hidden = !asked.some(({ operations }) => operations.some(({ near }) => near));
  }

  #show() {
    const words = this.#search.value.trim().toLowerCase();
    const found = this.#providers
      .filter(({ name, id, summary }) => `${name} ${id} ${summary ?? ''}`.toLowerCase().includes(words));
    fill(this.#list, groupsOf(found).map(({ title, providers }) => element(
      'section', { class: 'source-group', 'aria-label': title },
      element('h3', {}, title, element('span', { class: 'amount' }, String(providers.length))),
      element('ul', { class: 'source-list', role: 'list' }, providers.map((provider) => this.#row(provider))))));
    if (!found.length) fill(this.#list, element('p', { class: 'empty-line' }, 'No matching source.'));
    this.#count();
  }

  /** @param {Provider} provider */
  #row(provider) {
    const { chosen, parameters } = this;
    const own = provider.operations.find(({ kind }) => kind === this.kind)?.parameters ?? [];
    const options = element('div', { class: 'source-options' });
    const showOptions = () => {
      const isSet = Object.keys(parameters).some((key) => key.startsWith(`${provider.id}.`));
      fill(options, chosen.has(provider.id) && own.length
        ? element('details', { open: isSet }, element('summary', { class: 'link' }, 'Options'),
          parameterControls(provider.id, own, parameters))
        : null);
    };
    showOptions();
    const box = element('input', {
      type: 'checkbox', checked: chosen.has(provider.id), disabled: provider.needsServer,
      onchange: () => {
        if (box.checked) chosen.add(provider.id);
        else chosen.delete(provider.id);
        showOptions();
        this.#count();
      },
    });
    const needsServer = 'Needs a server: start imgscript gallery with --instance';
    return element(
      'li', { class: 'source' },
      element('label', { class: 'source-label' }, box, element('span', { class: 'source-text' },
        element('span', { class: 'source-name' }, isolated(provider.name, 60),
          provider.isDefault ? element('span', { class: 'source-mark' }, 'default') : null),
        element('span', { class: 'source-summary', dir: 'auto' }, oneLine(provider.summary, 140)),
        provider.broken ? element('span', { class: 'badge' }, oneLine(`Status: ${provider.broken}`, 200)) : null,
        provider.needsServer ? element('span', { class: 'badge' }, needsServer) : null)),
      provider.key === 'none' ? null : this.#keyPart(provider),
      provider.notice ? element('p', { class: 'source-notice', dir: 'auto' }, oneLine(provider.notice, 300)) : null,
      options,
    );
  }

  /** @param {Provider} provider */
  #keyPart(provider) {
    const onchange = async () => {
      await this.gallery.loadProviders();
      this.#show();
    };
    if (provider.keyOrigin === 'environment') {
      const badge = element('span', { class: 'badge' }, icon('key'), 'Key of the environment');
      return element('p', { class: 'source-key' }, badge);
    }
    if (provider.hasKey) {
      return element('div', { class: 'source-key' },
        element('span', { class: 'badge' }, icon('key'), 'Key stored'), removeKeyButton(provider, onchange));
    }
    return element(
      'details', { class: 'source-key' },
      element('summary', { class: 'link' }, provider.key === 'required' ? 'Needs a key' : 'Key optional'),
      keyForm(provider, { onstored: onchange }),
      provider.homepage ? outwardLink(provider.homepage, 'About this source') : null,
    );
  }
}
