/** Moves the focus with the keyboard. */
import type { Locator, Page } from '@playwright/test';

/** More stops than any page has. */
const MANY = 150;

/** Presses Tab, or `key`, until something has the focus: once around the page at most. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MANY; presses++) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} cannot be reached with ${key}`);
}
