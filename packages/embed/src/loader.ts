/** The script of a shop's page, `/embed.js`. It sets `Markwright` on the window and nothing else. */
import { version } from '../package.json';
import type { MarkwrightLoader } from './api.ts';
import { mount } from './mount.ts';

// An element with the id `Markwright` would be a property of the window under the same name.
const present: Partial<MarkwrightLoader> | undefined = window.Markwright;
const source = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';

if (typeof present?.mount !== 'function') {
  if (source) {
    const { origin } = new URL(source);
    window.Markwright = Object.freeze({
      version,
      mount: (options) => mount(options, origin),
    } satisfies MarkwrightLoader);
  } else {
    console.error('Markwright: load embed.js with <script src="…/embed.js">, not as a module or as copied text.');
  }
}
