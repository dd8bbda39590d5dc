// @ts-check
// The sources by their kinds, each group by name.

/** @typedef {import('./types.js').Provider} Provider */

/** @param {Provider} provider */
export const isReady = (provider) => (provider.key !== 'required' || provider.hasKey) && !provider.needsServer;

/** In the order in which they are shown; a file that names no kind is the user's own. */
const GROUPS = /** @type {const} */ ([
  ['museums', 'Museums, libraries and archives'], ['photographs', 'Photographs'], ['science', 'Science and space'],
  ['art', 'Communities of artists'], ['stock', 'Stock and design'], ['media', 'Films, music, books and games'],
  ['boards', 'Boards'], ['web', 'Social networks and the web'], ['', 'Your own'],
]);

/**
 * @param {Provider[]} providers @returns {{ title: string, providers: Provider[] }[]}
 */
export function groupsOf(providers) {
  const sorted = [...providers].sort((a, b) => a.name.localeCompare(b.name));
  const known = new Set(GROUPS.map(([name]) => `${name}`));
  const groupOf = ({ category = '' }) => (known.has(category) ? category : '');
  const members = (/** @type {string} */ name) => sorted.filter((provider) => groupOf(provider) === name);
  return GROUPS.map(([name, title]) => ({ title, providers: members(name) }))
    .filter(({ providers: group }) => group.length);
}

/**
 * Those that are shown: sources for adults are left out until somebody wants them, or asks them.
 * @param {Provider[]} providers @param {import('./types.js').Kept} kept
 * @param {(provider: Provider) => boolean} [isAsked]
 */
export const shownSources = (providers, { settings }, isAsked = ({ isDefault }) => isDefault) =>
  providers.filter((provider) => !provider.adult || settings.showsAdult || isAsked(provider));
