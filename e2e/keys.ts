/** Moves the focus with the keyboard. */
import type { Locator, Page } from '@playwright/test';

/** More stops than any page has. */
const MANY = 150;

/** Presses Tab, or `key`, until something has the focus: once around the page at most. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  // Looked up once: finding an element by its role and name in a whole page costs more than the press of a key.
  let node = await target.elementHandle();
  for (let presses = 0; presses < MANY; presses++) {
    const place = await node?.evaluate((element) => ({
      hasFocus: element === document.activeElement,
      isConnected: element.isConnected,
    }));
    if (place?.hasFocus) return;
    if (place?.isConnected) await page.keyboard.press(key);
    else node = await target.elementHandle();
  }
  throw new Error(`${target} cannot be reached with ${key}`);
}
