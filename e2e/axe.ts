/** What axe finds wrong on a page, by its rules and by its advice. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** All that depends on how light a page is: the dark one differs in nothing else. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** In light and in dark. `state` says in a failure which picture of the page it was; the test goes on, so that one run names them all. */
export async function expectNoFaults(page: Page, state = 'this page'): Promise<void> {
  await expectNone(new AxeBuilder({ page }), state);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNone(new AxeBuilder({ page }).withRules(colorRules), `${state}, dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNone(axe: AxeBuilder, state: string): Promise<void> {
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect.soft(found, state).toEqual([]);
}
