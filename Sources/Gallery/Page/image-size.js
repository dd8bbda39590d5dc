// @ts-check
// The proportions of images, before they are seen.

/**
 * Width by height as the listing tells it; 0 where it does not.
 * @param {import('./types.js').Item} item
 */
export function knownRatio(item) {
  const { thumbnail, preview, full } = item.pictures ?? {};
  for (const size of [thumbnail, preview, full, ...(item.media ?? [])]) {
    if (size?.width && size.height) return size.width / size.height;
  }
  return thumbnail || preview || full ? 0 : 1;
}

/**
 * The pixels of the longer edge of the largest file; 0 where nobody says.
 * @param {import('./types.js').Item} item
 */
export function longestEdge(item) {
  let longest = 0;
  for (const { width = 0, height = 0 } of item.media ?? []) longest = Math.max(longest, width, height);
  return longest;
}
