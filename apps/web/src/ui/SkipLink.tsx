import { skipToMain } from './skip.ts';

/**
 * The first stop for whoever goes by keys: past the bar. No link: the address stays as it is, that of a proof holds the
 * order's secret. The landing page hears it by its mark before the app is there.
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
