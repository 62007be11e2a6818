/** The main job without a mouse: by keyboard, and by touch on a phone. */
import type { Locator, Page } from '@playwright/test';
import { ADMIN } from './accounts.ts';
import { tabTo } from './keys.ts';
import { logoPng } from './pictures.ts';
import { readProductionFile, unite } from './productionFile.ts';
import {
  boxAtRest,
  element,
  middleOf,
  readMachineArea,
  readSize,
  saveBy,
  settingGroup,
  stage,
  storedWith,
  TUMBLER,
  textElement,
  waitForDrawing,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const PRODUCTION = 'Export for Production Processing';

/** Notes what pointed at the page, so that a test can say that nothing else did. */
async function notePointers(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const kinds = () => JSON.parse(sessionStorage.getItem('pointers') ?? '[]') as string[];
    addEventListener(
      'pointerdown',
      ({ pointerType }) => sessionStorage.setItem('pointers', JSON.stringify([...new Set([...kinds(), pointerType])])),
      true,
    );
  });
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('pointers') ?? '[]') as string[]);
}

test('the whole way with keys alone, from signing in to the file', async ({ page }) => {
  const pointers = await notePointers(page);
  const { keyboard } = page;
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  await page.goto('/auth?next=/studio');
  await tabTo(page, page.getByLabel('Email'));
  await keyboard.type(ADMIN.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await keyboard.type(ADMIN.password);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/studio$/);

  // 1: the machine. An arrow goes to the next one and back.
  const laser = page.getByRole('radio', { name: /laser engraver/i });
  await tabTo(page, laser);
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: /uv printer/i })).toBeChecked();
  await keyboard.press('ArrowLeft');
  await expect(laser).toBeChecked();

  // 2: the blank.
  await tabTo(page, page.getByRole('searchbox', { name: 'Search products' }));
  await keyboard.type('skinny matte black');
  await tabTo(page, button(TUMBLER));
  await keyboard.press('Enter');
  await expect(stage(page).locator('img')).toBeVisible();

  // 3: the picture. The window it is chosen in is the system's own.
  // Playwright enables the event in the page asynchronously, so the test begins to wait for it before it presses keys.
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, button('Choose a file'));
  await keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  // A setting of its trace, by keys.
  await tabTo(page, settingGroup(page, 'Picture'));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('slider', { name: 'Despeckle' }));
  await storedWith(
    page,
    ({ despeckle }) => despeckle === 2,
    async () => {
      await keyboard.press('ArrowRight');
      await keyboard.press('ArrowRight');
      await expect(page.getByRole('slider', { name: 'Despeckle' })).toHaveAttribute('aria-valuenow', '2');
    },
  );

  // And the text, in another typeface.
  await tabTo(page, page.getByRole('tab', { name: 'Upload Image' }), 'Shift+Tab');
  await keyboard.press('ArrowRight');
  await tabTo(page, page.getByPlaceholder(/Type a name/));
  await keyboard.type('Hazel & Finn');
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await tabTo(page, page.getByRole('combobox', { name: 'Font' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('option').first()).toBeVisible();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(textElement(page).locator('path').first()).toBeAttached();

  // 4: where they go. The stage goes from one element to the next with Tab.
  await tabTo(page, stage(page));
  await keyboard.press('Escape');
  await keyboard.press('Tab');
  await expect(selectedRow(page)).toHaveAccessibleName(/badge/);
  for (let i = 0; i < 4; i++) await keyboard.press('Shift+ArrowUp');
  await keyboard.press('Tab');
  await expect(selectedRow(page)).toHaveAccessibleName(/Hazel/);
  for (let i = 0; i < 3; i++) await keyboard.press('Shift+ArrowDown');
  await keyboard.press('ArrowRight');
  // To the millimeter with a number.
  const width = page.getByRole('spinbutton', { name: 'Width in millimeters' });
  await tabTo(page, width);
  await keyboard.press('Control+a');
  await keyboard.type('30');
  await keyboard.press('Enter');
  await expect(width).toHaveValue('30.0');

  const areaMm = await readMachineArea(page);
  const text = readSize((await selectedRow(page).getAttribute('aria-label')) ?? '');
  expect(text.width).toBeCloseTo(30, 1);

  await tabTo(page, button(PRODUCTION));
  const download = await saveBy(page, () => keyboard.press('Enter'));
  expect(download.name).toBe('20_oz_Skinny_Tumbler_Matte_Black_production.svg');
  const file = await readProductionFile(page, download.bytes.toString('utf8'));
  const lower = unite(file.paths.map(({ box }) => box).filter((box) => box.y > areaMm.height / 2));
  // The letters' ink is a little narrower than the line they stand in.
  expect(lower.width).toBeLessThanOrEqual(30.5);
  expect(lower.width).toBeGreaterThan(27);
  expect(file.paths.some(({ box }) => box.y < areaMm.height / 2)).toBe(true);
  expect(await pointers()).toEqual([]);
});

/** Returns the row of the selected element in the list. */
const selectedRow = (page: Page): Locator =>
  page.getByRole('list', { name: 'Elements on the product' }).getByRole('button', { pressed: true });

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the whole way with a finger, from signing in to the file', { tag: '@detail' }, async ({ page }) => {
    const pointers = await notePointers(page);
    const touch = await createTouch(page);
    const tap = (name: string | RegExp) => page.getByRole('button', { name }).tap();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));

    await page.goto('/auth?next=/studio');
    await page.getByLabel('Email').tap();
    await page.keyboard.type(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).tap();
    await page.keyboard.type(ADMIN.password);
    await tap('Log in');
    await expect(page).toHaveURL(/\/studio$/);

    await tap(/Choose Your Machine/);
    await page.getByRole('radio', { name: /laser engraver/i }).tap();
    await tap(/Select Product/);
    await page.getByRole('searchbox', { name: 'Search products' }).tap();
    await page.keyboard.type('skinny matte black');
    await tap(TUMBLER);
    await expect(stage(page).locator('img')).toBeVisible();

    // The blank has colors, which are chosen on its card.
    await tap(/Select Product/);
    await page.getByRole('radio', { name: 'Navy' }).tap();
    await tap(/Add Your Design & Text/);
    const chooser = page.waitForEvent('filechooser');
    await tap('Choose a file');
    await (await chooser).setFiles({ name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() });
    await waitForTrace(page);
    await page.getByRole('tab', { name: 'Add Text' }).tap();
    await page.getByPlaceholder(/Type a name/).tap();
    await page.keyboard.type('Hazel & Finn');
    await expect(textElement(page).locator('path').first()).toBeAttached();

    // Each goes where the finger takes it, and the page stays where it is.
    const areaMm = await readMachineArea(page);
    const scrollBefore = await page.evaluate(() => scrollY);
    const before = { design: await middleOf(element(page, 'design')), text: await middleOf(textElement(page)) };
    await touch.drag(before.text, { x: before.text.x, y: before.text.y + 50 });
    await touch.drag(before.design, { x: before.design.x + 4, y: before.design.y - 60 });
    const after = { design: await middleOf(element(page, 'design')), text: await middleOf(textElement(page)) };
    expect(after.text.y - before.text.y).toBeGreaterThan(40);
    expect(after.design.y - before.design.y).toBeLessThan(-50);
    expect(await page.evaluate(() => scrollY)).toBe(scrollBefore);

    // Two fingers come nearer: twice as far apart is twice as big, and nothing on the product moves.
    const at = await middleOf(stage(page));
    const size = await boxAtRest(element(page, 'design'));
    await touch.pinch(at, 50, 100);
    await expect.poll(async () => (await element(page, 'design').boundingBox())!.width / size.width).toBeCloseTo(2, 1);
    await touch.pinch(at, 100, 50);
    await expect.poll(async () => (await element(page, 'design').boundingBox())!.width / size.width).toBeCloseTo(1, 1);
    expect(await middleOf(element(page, 'design'))).toEqual({
      x: expect.closeTo(after.design.x, 0),
      y: expect.closeTo(after.design.y, 0),
    });

    await tap(/Position & Preview/);
    await tap('Move right');
    await expect(page.getByRole('spinbutton', { name: /Horizontal position/ })).not.toHaveValue('0');

    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const download = await saveBy(page, () => tap(PRODUCTION));
    const file = await readProductionFile(page, download.bytes.toString('utf8'));
    const inks = file.paths.map(({ box }) => box.y + box.height / 2 < areaMm.height / 2);
    expect(inks).toContain(true);
    expect(inks).toContain(false);
    expect(await pointers()).toEqual(['touch']);
    expect(errors).toEqual([]);
  });
});

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Fingers on the glass, through the browser's own input queue. */
async function createTouch(page: Page) {
  const session = await page.context().newCDPSession(page);
  const STEPS = 10;
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number; id: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  const between = (from: number, to: number, step: number) => from + ((to - from) * step) / STEPS;
  return {
    async drag(from: Place, to: Place): Promise<void> {
      await send('touchStart', [{ ...from, id: 1 }]);
      for (let step = 1; step <= STEPS; step++) {
        await send('touchMove', [{ x: between(from.x, to.x, step), y: between(from.y, to.y, step), id: 1 }]);
      }
      await send('touchEnd', []);
      await waitForDrawing(page);
    },
    /** Moves two fingers, one above and one below a place, from `fromPx` to `toPx` away from it. */
    async pinch({ x, y }: Place, fromPx: number, toPx: number): Promise<void> {
      const fingers = (px: number) => [
        { x, y: y - px, id: 1 },
        { x, y: y + px, id: 2 },
      ];
      await send('touchStart', fingers(fromPx));
      for (let step = 1; step <= STEPS; step++) await send('touchMove', fingers(between(fromPx, toPx, step)));
      await send('touchEnd', []);
      await waitForDrawing(page);
    },
  };
}
