/**
 * The only script the landing page waits for. Its words, links and pictures are in the HTML, and this script moves its
 * sliders and its skip link. The app comes when the page has been drawn, or with the first sign of somebody.
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
// A page that is gone back to still has its sliders where they were.
for (const slider of document.querySelectorAll<HTMLInputElement>('input[data-moves]')) follow(slider);

const { app = '' } = document.querySelector<HTMLElement>('script[data-app]')?.dataset ?? {};
const loader = createAppLoader(app.split(' ').filter(Boolean), {
  fetch: (file) => fetch(file),
  importModule: (file) => import(/* @vite-ignore */ file),
  now: () => performance.now(),
});
const signs = ['pointerdown', 'pointerover', 'keydown', 'focusin', 'online'] as const;

/** Loads the app; when that has failed, each later sign of somebody tries again. */
function startApp(): void {
  loader.load();
  if (loader.isLoaded()) for (const sign of signs) removeEventListener(sign, startApp);
}

// A form that is sent before the app is here is sent again until the app takes it, so that nobody lands on another
// page.
const RESUBMIT_MS = 200;
let resubmit: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('submit', (event) => {
  clearTimeout(resubmit); // one press, one time
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  const form = event.target;
  resubmit = setTimeout(() => form.requestSubmit(), RESUBMIT_MS);
});

for (const sign of signs) addEventListener(sign, startApp, { passive: true });
if (readToken() !== null) startApp();
else whenIdle(window, startApp);
