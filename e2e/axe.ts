/** Accessibility checks: the rules and the advice of axe. */
import { expect, type Frame, type Page } from '@playwright/test';
import axe from 'axe-core';

/** All rules whose result depends on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks a page, or the part of it that matches a CSS selector, in the light and in the dark color scheme. `state`
 * names the state of the page in a failure. The test goes on after a failure, so that one run names all of them.
 * Costs about 2 s of processor time on a page of the studio.
 */
export async function expectNoFaults(page: Page, state = 'this page', within = 'html'): Promise<void> {
  await expectNone(page, state, within, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNone(page, `${state}, dark`, within, { runOnly: { type: 'rule', values: COLOR_RULES } });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNone(page: Page, state: string, within: string, options: axe.RunOptions): Promise<void> {
  await Promise.all(page.frames().map(loadAxe));
  // AxeBuilder of @axe-core/playwright collects every check of every node, which takes six times as long.
  const violationsOnly: axe.RunOptions = { ...options, resultTypes: ['violations'] };
  const faults = await page.evaluate(
    async ([within, options]) => {
      const { violations } = await window.axe.run({ include: [within] }, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    },
    [within, violationsOnly] as const,
  );
  expect.soft(faults, state).toEqual([]);
}

/** Loads axe into a document once. A frame answers the axe of the page around it whatever its origin is. */
async function loadAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in window)) return;
  await frame.evaluate(`${axe.source};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
