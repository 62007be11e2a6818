/**
 * The only script that the landing page waits for. The text, links and pictures are in the HTML. This script runs the
 * sliders and the skip link, and loads the app once the page is drawn, or at the first event of a visitor.
 */
import { readToken } from '../../token.ts';
import { skipToMain } from '../../ui/skip.ts';
import { createAppLoader, whenIdle } from './appLoader.ts';
import { follow } from './sliders.ts';

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.moves) follow(target);
});
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-skip]')) skipToMain();
});
// After the browser's Back, the sliders still have their last values.
for (const slider of document.querySelectorAll<HTMLInputElement>('input[data-moves]')) follow(slider);

const { app = '' } = document.querySelector<HTMLElement>('script[data-app]')?.dataset ?? {};
const loader = createAppLoader(app.split(' ').filter(Boolean), {
  fetch: (file) => fetch(file),
  importModule: (file) => import(/* @vite-ignore */ file),
  now: () => performance.now(),
});
const signs = ['pointerdown', 'pointerover', 'keydown', 'focusin', 'online'] as const;

/** Loads the app. After a failure, each later event of a visitor tries again. */
function startApp(): void {
  loader.load();
  if (loader.isLoaded()) for (const sign of signs) removeEventListener(sign, startApp);
}

// A form that is submitted before the app has loaded is submitted again until the app handles it. Otherwise the browser
// would leave the page.
const RESUBMIT_MS = 200;
let resubmit: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('submit', (event) => {
  clearTimeout(resubmit); // another press replaces the pending one
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  const form = event.target;
  resubmit = setTimeout(() => form.requestSubmit(), RESUBMIT_MS);
});

for (const sign of signs) addEventListener(sign, startApp, { passive: true });
if (readToken() !== null) startApp();
else whenIdle(window, startApp);
