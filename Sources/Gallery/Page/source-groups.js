// @ts-check
// The sources in groups, by name.

/** @typedef {import('./types.js').Provider} Provider */

/** @param {Provider} provider */
export const isReady = (provider) => (provider.key !== 'required' || provider.hasKey) && !provider.needsServer;

/** In the order in which they are shown; the first that fits is a source's group. */
const GROUPS = [
  { title: 'Asked by default', has: (/** @type {Provider} */ provider) => provider.isDefault },
  { title: 'Ready to use', has: isReady },
  { title: 'Need a key', has: (/** @type {Provider} */ provider) => !provider.needsServer },
  { title: 'Need a server', has: () => true },
];

/**
 * @param {Provider[]} providers @returns {{ title: string, providers: Provider[] }[]}
 */
export function groupsOf(providers) {
  const sorted = [...providers].sort((a, b) => a.name.localeCompare(b.name));
  return GROUPS.map(({ title }, place) => ({
    title, providers: sorted.filter((provider) => GROUPS.findIndex(({ has }) => has(provider)) === place),
  })).filter(({ providers: group }) => group.length);
}
