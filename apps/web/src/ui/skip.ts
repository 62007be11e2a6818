/** Moves the keys' place past the bar, to what the page is about. */
export function skipToMain(): void {
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}
