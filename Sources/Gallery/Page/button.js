// @ts-check
// Buttons of what opens beside the grid.

import { element, icon } from './elements.js';
import './icons.js';

/**
 * A button with an icon and, unless it is only its label for assistive technology, a text.
 * @param {{
 *   icon?: string, label: string, isIconOnly?: boolean, title?: string, class?: string, shortcut?: string,
 *   onclick: (event: MouseEvent) => void,
 * }} options
 */
export function button(options) {
  const { label, isIconOnly } = options;
  return element(
    'button',
    {
      type: 'button',
      class: `button ${isIconOnly ? 'icon-button' : ''} ${options.class ?? ''}`.trim(),
      'aria-label': isIconOnly ? label : options.title,
      'aria-keyshortcuts': options.shortcut,
      title: isIconOnly ? (options.shortcut ? `${label} (${options.shortcut})` : label) : options.title,
      onclick: options.onclick,
    },
    options.icon ? icon(options.icon) : null,
    isIconOnly ? null : element('span', {}, label),
  );
}
