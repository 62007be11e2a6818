/** The first stop for whoever goes by keys: past the bar. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: without scripts it leads there by its address
    <a
      href="#content"
      onClick={(event) => {
        // The address stays as it is: that of a proof holds the order's secret.
        event.preventDefault();
        const main = document.querySelector('main');
        main?.setAttribute('tabindex', '-1');
        main?.focus();
      }}
      className="-translate-y-20 absolute top-2 left-3 z-40 flex h-10 items-center rounded-control bg-ink px-4 font-medium text-bone focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
