import { skipToMain } from './skip.ts';

/**
 * The skip link: the first tab stop, which moves the focus past the top bar. It is a button, so that it does not change
 * the address: a proof's address holds a secret. The landing page finds it by `data-skip` before the app is loaded.
 */
export function SkipLink() {
  return (
    <button
      type="button"
      data-skip=""
      onClick={skipToMain}
      className="-translate-y-20 absolute top-2 left-3 z-40 flex h-10 items-center rounded-control bg-ink px-4 font-medium text-bone focus:translate-y-0 noscript:hidden"
    >
      Skip to content
    </button>
  );
}
