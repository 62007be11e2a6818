/**
 * The only script the landing page waits for. Its words, links and pictures are in the HTML, its sliders and the way past its bar work by
 * this; the app comes when the page has been drawn, or with the first sign of somebody.
 */
import { readToken } from '../../token.ts';
import { skipToMain } from '../../ui/skip.ts';
import { follow } from './sliders.ts';

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.moves) follow(target);
});
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-skip]')) skipToMain();
});
// A page that is gone back to keeps where its sliders were.
for (const slider of document.querySelectorAll<HTMLInputElement>('input[data-moves]')) follow(slider);

const { app } = document.querySelector<HTMLElement>('script[data-app]')?.dataset ?? {};
const signs = ['pointerdown', 'pointerover', 'keydown', 'focusin'] as const;

function startApp(): void {
  for (const sign of signs) removeEventListener(sign, startApp);
  if (app) import(/* @vite-ignore */ app).catch(() => undefined); // without it every link still leads on
}

// Who is quicker than the app is not sent to another page: the form is handed in again, until the app takes it.
const RETRY_MS = 200;
let again: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('submit', (event) => {
  clearTimeout(again); // one press, one time
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  const form = event.target;
  again = setTimeout(() => form.requestSubmit(), RETRY_MS);
});

if (readToken() !== null) {
  startApp();
} else {
  for (const sign of signs) addEventListener(sign, startApp, { once: true, passive: true });
  const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500));
  if (document.readyState === 'complete') whenIdle(startApp);
  else addEventListener('load', () => whenIdle(startApp), { once: true });
}
