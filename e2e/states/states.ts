/**
 * Takes a picture of a state of a page, in light and dark, into `.build/states/wide` and `.build/states/narrow`. With
 * `AXE=1` in the environment it runs axe over each state in light and dark instead.
 */
import { PROGRESS_STREAM_TYPE } from '@markwright/contract/paths/endpoint';
import type { Page } from '@playwright/test';
import { expectNoFaults } from '../axe.ts';
import { waitForDrawing } from '../studio.ts';
import { test } from '../test.ts';

const folder = new URL('../../.build/states/', import.meta.url);

const hasAxe = process.env.AXE === '1';

/** `isWhole` takes what lies below the window, too. */
export async function take(page: Page, name: string, { isWhole = false } = {}): Promise<void> {
  if (hasAxe) {
    await waitForDrawing(page);
    await expectNoFaults(page, name);
    console.log(`axe: ${test.info().project.name} ${name}`);
    return;
  }
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await waitForDrawing(page);
    const path = new URL(`${test.info().project.name}/${name}-${colorScheme}.png`, folder).pathname;
    await page.screenshot({ path, fullPage: isWhole, animations: 'disabled' });
  }
}

export const takeWhole = (page: Page, name: string): Promise<void> => take(page, name, { isWhole: true });

/** Closes the notices, which would lie on the next picture. */
export async function closeNotices(page: Page): Promise<void> {
  const close = page.getByRole('region', { name: /Notifications/ }).getByRole('button', { name: 'Close' });
  // At once: one that is waited for may go by itself.
  await close.evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click();
  });
}

/**
 * From now on, calls whose address contains `path` report these lines of a progress stream and never end. Returns a
 * function after which calls go to the server again.
 */
export async function holdAt(page: Page, path: string, ...lines: readonly object[]): Promise<() => Promise<void>> {
  await page.evaluate(
    ([path, lines, type]) => {
      const scope = window as unknown as { holds?: Map<string, object[]> };
      const isFirst = scope.holds === undefined;
      scope.holds ??= new Map();
      const { holds } = scope;
      if (isFirst) {
        const send = window.fetch;
        window.fetch = async (input, options) => {
          const url = String(input instanceof Request ? input.url : input);
          const reportLines = [...holds].find(([part]) => url.includes(part))?.[1];
          if (!reportLines) return send(input, options);
          const body = new ReadableStream({
            start(controller) {
              const text = reportLines.map((line) => `${JSON.stringify(line)}\n`).join('');
              controller.enqueue(new TextEncoder().encode(text));
              options?.signal?.addEventListener('abort', () => controller.error(options.signal?.reason));
            },
          });
          return new Response(body, { headers: { 'content-type': type } });
        };
      }
      holds.set(path, lines as object[]);
    },
    [path, lines, PROGRESS_STREAM_TYPE] as const,
  );
  return () =>
    page.evaluate((path) => {
      (window as unknown as { holds: Map<string, object[]> }).holds.delete(path);
    }, path);
}
