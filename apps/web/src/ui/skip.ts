/** Moves the focus past the top bar, to the main content. */
export function skipToMain(): void {
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}
