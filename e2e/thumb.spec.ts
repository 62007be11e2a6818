/** The studio on a phone, by thumb alone: the whole job from the machine to the file. */
import type { Locator, Page } from '@playwright/test';
import { logoPng } from './pictures.ts';
import { boxAtRest, element, expectLoaded, openStudio, stage, textElement, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';
import { dragByFinger, restFinger, tapAt } from './touch.ts';

const TARGET_PX = 24;

/** Returns the controls on the screen that are smaller than a target may be. A link within a sentence may be. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href], input:not([type="file"]), select, textarea, summary, [role="slider"], [data-grip^="resize"]',
    );
    return [...controls].flatMap((control) => {
      // What a label wraps is pressed by the label.
      const target = control.closest('label') ?? control;
      const { left, top, right, bottom, width, height } = target.getBoundingClientRect();
      const isOnScreen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && width > 1;
      const isInText = control.matches('p a, li a');
      if (!control.checkVisibility({ visibilityProperty: true }) || !isOnScreen || isInText) return [];
      const size = `${Math.round(width)} x ${Math.round(height)}`;
      const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
      return Math.min(width, height) < least - 0.5 ? [`${name.trim() || control.outerHTML.slice(0, 80)}: ${size}`] : [];
    });
  }, TARGET_PX);

const openTab = async (page: Page, title: RegExp) => {
  const head = page.getByRole('button', { name: title });
  await head.tap();
  await expect(head).toHaveAttribute('aria-expanded', 'true');
};

async function chooseByThumb(page: Page, name: string): Promise<void> {
  await openTab(page, /Select Product/);
  await page.getByRole('searchbox', { name: 'Search products' }).tap();
  await page.getByRole('searchbox', { name: 'Search products' }).fill('');
  await page.keyboard.type(name);
  await page.locator('[data-step="2"]').getByRole('button', { name }).first().tap();
  await expectLoaded(stage(page).locator('img'));
}

/** Expects that something lies whole on the screen, and where the thumb of a hand that holds the phone is. */
async function expectInReach(page: Page, target: Locator): Promise<void> {
  const box = await boxAtRest(target);
  const { width, height } = page.viewportSize()!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y).toBeGreaterThanOrEqual(0.4 * height);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
}

for (const [width, height] of [
  [390, 844],
  [320, 640],
] as const) {
  test.describe(`at ${width} px`, { tag: width < 390 ? '@detail' : [] }, () => {
    test.use({ viewport: { width, height }, hasTouch: true, isMobile: true });

    test('the whole job is done by thumb', async ({ page }) => {
      const mark = element(page, 'design');
      const exporting = page.getByRole('button', { name: 'Export for Production Processing' });
      const acts = page.getByRole('group', { name: 'Selected element' });

      await test.step('machine, product and picture', async () => {
        await openStudio(page);
        await openTab(page, /Choose Your Machine/);
        await page.getByRole('radio', { name: /laser/i }).tap();
        await chooseByThumb(page, '20 oz Skinny Tumbler, Stainless');
        const choosing = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Choose a file' }).tap();
        await (await choosing).setFiles({ name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() });
        await waitForTrace(page);
      });

      await test.step('a notice lies on the line between the stage and its tools', async () => {
        const notice = await boxAtRest(page.locator('[data-variant][data-state="open"]'));
        const room = await boxAtRest(stage(page));
        const tools = await boxAtRest(page.getByRole('group', { name: 'Stage tools' }));
        expect(notice.y).toBeGreaterThanOrEqual(room.y + room.height);
        expect(notice.y + notice.height).toBeLessThanOrEqual(tools.y);
        const count = await boxAtRest(page.getByRole('button', { name: /^Preflight/ }));
        expect(notice.x + notice.width).toBeLessThanOrEqual(count.x);
      });

      await test.step('the mark is large enough to be judged, whatever it lies on', async () => {
        const expectLarge = () => expect.poll(async () => (await boxAtRest(mark)).width).toBeGreaterThanOrEqual(120);
        await expectLarge();
        for (const name of ['Slate Coaster', 'Brass Keychain', '20 oz Skinny Tumbler, Stainless']) {
          await chooseByThumb(page, name);
          await expectLarge();
        }
        // The lowest phone in use.
        await page.setViewportSize({ width, height: 568 });
        await expectLarge();
        await expectInReach(page, page.getByRole('tab', { name: 'Add Text' }));
        await page.setViewportSize({ width, height });
        await expectLarge();
      });

      await test.step('a finger places the mark, and the acts for it stand above the sheet', async () => {
        const before = await boxAtRest(mark);
        await dragByFinger(page, mark, 0, -40);
        await expect.poll(async () => (await boxAtRest(mark)).y - before.y).toBeLessThan(-25);
        const sheet = await boxAtRest(page.getByRole('region', { name: 'Steps' }));
        const bar = await boxAtRest(acts);
        expect(bar.y + bar.height).toBeLessThanOrEqual(sheet.y);
        await expectInReach(page, acts);
        await acts.getByRole('button', { name: 'Duplicate' }).tap();
        await expect(stage(page).locator('[data-element^="design"]')).toHaveCount(2);
        await acts.getByRole('button', { name: 'Delete' }).tap();
        await expect(stage(page).locator('[data-element^="design"]')).toHaveCount(1);
      });

      await test.step('a text is written, and scaled by its corner', async () => {
        await openTab(page, /Add Your Design/);
        await page.getByRole('tab', { name: 'Add Text' }).tap();
        await page.getByPlaceholder(/Type a name/).tap();
        await page.keyboard.type('Al');
        await expect(textElement(page).locator('path').first()).toBeAttached();
        await tapAt(page, textElement(page));
        const before = await boxAtRest(textElement(page));
        await dragByFinger(page, page.locator('[data-grip="resize:2"]'), 20, 12);
        await expect
          .poll(async () => (await textElement(page).boundingBox())!.width)
          .toBeGreaterThan(before.width * 1.2);
        const menu = page.getByRole('menu', { name: 'Actions' });
        await restFinger(page, textElement(page), () => expect(menu).toBeVisible());
        await expect(menu.getByRole('menuitem', { name: 'Edit text' })).toBeVisible();
        await page.keyboard.press('Escape');
      });

      await test.step('every control is a target for a finger, and the file leads to an account', async () => {
        expect(await smallTargets(page)).toEqual([]);
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await expect.poll(overflow).toBeLessThanOrEqual(0);
        // At each height of the sheet.
        const handle = page.getByRole('region', { name: 'Steps' }).getByRole('button', { name: /^Show / });
        for (let size = 0; size < 3; size++) {
          await expectInReach(page, exporting);
          await handle.tap();
        }
        await exporting.tap();
        const anyway = page.getByRole('button', { name: 'Export anyway' });
        const wall = page.getByRole('dialog', { name: 'Production Export Requires Account' });
        await expect(anyway.or(wall)).toBeVisible();
        if (await anyway.isVisible()) await anyway.tap();
        await expect(wall.getByRole('link', { name: 'Create an account' })).toBeVisible();
      });
    });
  });
}
