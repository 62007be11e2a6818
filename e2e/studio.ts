/** Uses the studio and reads its state. */
import { readFile } from 'node:fs/promises';
import type { VectorizeSettings } from '@markwright/contract/schemas';
import { type Download, expect, type Locator, type Page } from '@playwright/test';
import type { Box } from './productionFile.ts';

export const TUMBLER = '20 oz Skinny Tumbler, Matte Black';

export interface Picture {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export async function openStudio(page: Page): Promise<void> {
  await page.goto('/studio');
  await expect(page.getByRole('button', { name: 'Choose Your Machine' })).toBeVisible();
  await waitUntilLoaded(page);
}

/** Waits until the parts that load after the first paint are there. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
}

/** Unfolds a step of the studio, when it is folded. */
export async function openStep(
  page: Page,
  title: 'Choose Your Machine' | 'Select Product' | 'Add Your Design & Text' | 'Position & Preview',
): Promise<void> {
  const head = page.getByRole('button', { name: title });
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
  await expect(head).toHaveAttribute('aria-expanded', 'true');
}

export type SettingGroup = 'Picture' | 'Detail' | 'Shapes' | 'Palette';

/** The button that unfolds a group of the settings of the trace. */
export const settingGroup = (page: Page, name: SettingGroup): Locator =>
  page.getByRole('group', { name: 'Settings of the trace' }).getByRole('button', { name });

/** Unfolds a group of the settings of the trace, which folds the others. */
export async function openSettings(page: Page, name: SettingGroup = 'Picture'): Promise<void> {
  const button = settingGroup(page, name);
  await expect(button).toBeVisible();
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

/** Chooses the machine, also after its step is folded. */
export async function chooseMachine(page: Page, name: RegExp): Promise<void> {
  const machine = page.getByRole('radio', { name });
  if (!(await machine.isVisible())) await openStep(page, 'Choose Your Machine');
  const others = page.getByRole('button', { name: 'More machines' });
  if (!(await machine.isVisible()) && (await others.isVisible())) await others.click();
  await machine.check();
}

export async function chooseProduct(page: Page, name: string = TUMBLER): Promise<void> {
  await openStep(page, 'Select Product');
  await page.getByRole('searchbox', { name: 'Search products' }).fill(name);
  await page.locator('[data-step="2"]').getByRole('button', { name }).click();
  await expectLoaded(stage(page).locator('img'));
  await waitUntilLoaded(page);
}

/** Puts an empty design without a product in the place of the one that is open. The studio is not started again. */
export async function startOver(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'My designs' }).click();
  await page.getByRole('dialog', { name: 'My designs' }).getByRole('button', { name: 'New design' }).click();
  await expect(stage(page).locator('[data-element]')).toHaveCount(0);
}

/** Waits until a picture has loaded its pixels. */
export async function expectLoaded(picture: Locator): Promise<void> {
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
}

/** Drops files on step 3 as a person would from the desktop. */
export async function dropFile(page: Page, ...pictures: readonly Picture[]): Promise<void> {
  const files = pictures.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }));
  const transfer = await page.evaluateHandle((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, mimeType, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return dataTransfer;
  }, files);
  const zone = page.getByText('Drop a picture here');
  await zone.dispatchEvent('dragover', { dataTransfer: transfer });
  await page.getByText(/Drop a picture here|Let go to upload/).dispatchEvent('drop', { dataTransfer: transfer });
}

/** Opens the studio, chooses the usual product, drops a picture and waits for its trace. */
export async function openWithPicture(page: Page, picture: Picture): Promise<void> {
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, picture);
  await waitForTrace(page);
}

export async function waitForTrace(page: Page): Promise<void> {
  await expect(page.getByText('Traced', { exact: true })).toBeVisible();
  await expect(element(page, 'design').locator('path').first()).toBeAttached();
}

/**
 * Runs `act`, which changes the settings of a trace, and waits until the server has stored a trace with them. `Traced`
 * alone may belong to the trace before: a slider that is let go sends its value a moment later.
 */
export async function storedWith(
  page: Page,
  isWanted: (settings: Partial<VectorizeSettings>) => boolean,
  act: () => Promise<void>,
): Promise<void> {
  const reply = page.waitForResponse((response) => {
    if (!/designs\/vectorize$/.test(response.url())) return false;
    return isWanted((response.request().postDataJSON() as { settings: VectorizeSettings }).settings);
  });
  await act();
  expect((await reply).ok()).toBe(true);
  await waitForTrace(page);
}

/** Adds a line of text in a typeface. Returns its element on the stage. */
export async function addText(page: Page, text: string, font?: string): Promise<Locator> {
  await page.getByRole('tab', { name: 'Add Text' }).click();
  if (font) {
    await page.getByRole('combobox', { name: 'Font' }).click();
    await page.getByRole('option', { name: font, exact: true }).click();
  }
  await page.getByPlaceholder(/Type a name/).fill(text);
  const textOnStage = textElement(page);
  await expect(textOnStage.locator('path').first()).toBeAttached();
  return textOnStage;
}

/** Opens the dialog “Many names”. */
export async function openManyNames(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Many names' }).click();
  return page.getByRole('dialog', { name: 'Many names' });
}

export const stage = (page: Page): Locator => page.getByRole('application');
export const element = (page: Page, id: string): Locator => stage(page).locator(`[data-element="${id}"]`);
/** The only text there is. */
export const textElement = (page: Page): Locator => stage(page).locator('[data-element^="text:"]');

/** Waits until the effect of the last event is on the screen. The browser draws it a frame later. */
export async function waitForDrawing(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Waits until a box is the same in two frames that follow one another, and returns it. */
export async function boxAtRest(target: Locator): Promise<Box> {
  let box: Box | null = null;
  await expect(async () => {
    box = await target.boundingBox();
    await waitForDrawing(target.page());
    expect(await target.boundingBox()).toEqual(box);
    expect(box).not.toBeNull();
  }).toPass();
  return box!;
}

/** Waits until something stands still, and returns its middle. */
export async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await boxAtRest(target);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Presses on the middle of an element and moves it by whole screen pixels. */
export async function dragBy(page: Page, target: Locator, dx: number, dy: number): Promise<void> {
  const { x, y } = await middleOf(target);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 4 });
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
  await waitForDrawing(page);
}

/** Returns the box of an element's ink in mm of the machine area, from pixels and the area's own frame. */
export async function shownInkMm(target: Locator, areaMm: { width: number; height: number }): Promise<Box> {
  return target.evaluate((node, area) => {
    const frame = node.closest('svg')!.parentElement!.getBoundingClientRect();
    const boxes = [...node.querySelectorAll('path')].map((path) => path.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left));
    const top = Math.min(...boxes.map((box) => box.top));
    const mmPerPx = area.width / frame.width;
    return {
      x: (left - frame.left) * mmPerPx,
      y: (top - frame.top) * mmPerPx,
      width: (Math.max(...boxes.map((box) => box.right)) - left) * mmPerPx,
      height: (Math.max(...boxes.map((box) => box.bottom)) - top) * mmPerPx,
    };
  }, areaMm);
}

/** Reads `55.9 × 139.7 mm` as numbers. */
export function readSize(text: string): { width: number; height: number } {
  const [, width, height] = /([\d.]+) × ([\d.]+) mm/.exec(text) ?? [];
  if (!width || !height) throw new Error(`No size in "${text}"`);
  return { width: Number(width), height: Number(height) };
}

/** Reads the size of the machine area off the status line. */
export async function readMachineArea(page: Page): Promise<{ width: number; height: number }> {
  const statusText = page.getByTitle('Machine area');
  await expect(statusText).toContainText(/\d mm/);
  return readSize((await statusText.textContent()) ?? '');
}

export interface ShownNumbers {
  readonly width: number;
  readonly height: number;
  /** Of the element's middle, from the middle of the machine area. */
  readonly x: number;
  readonly y: number;
}

/** Selects an element in the list and reads its numbers off the inspector. */
export async function readNumbers(page: Page, name: RegExp): Promise<ShownNumbers> {
  const inspector = page.getByRole('region', { name: 'Inspector' });
  const row = inspector.getByRole('list', { name: 'Elements on the product' }).getByRole('button', { name });
  await row.click();
  await expect(row).toHaveAttribute('aria-pressed', 'true');
  await waitForDrawing(page);
  const number = async (label: string | RegExp) =>
    Number(await inspector.getByRole('spinbutton', { name: label }).inputValue());
  return {
    width: await number('Width in millimeters'),
    height: await number('Height in millimeters'),
    x: await number(/Horizontal position/),
    y: await number(/Vertical position/),
  };
}

export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Clicks an export and returns the saved file. Exports in spite of what Preflight found. */
export const save = (page: Page, button: string | RegExp): Promise<SavedFile> =>
  saveAnyway(page, () => page.getByRole('button', { name: button }).click());

/** Returns the file that an export saves. Exports in spite of what Preflight found, then or by now. */
export const saveAnyway = (page: Page, startExport: () => Promise<void>): Promise<SavedFile> =>
  saveBy(page, async () => {
    let isSaved = false;
    page.once('download', () => {
      isSaved = true;
    });
    await startExport();
    const anyway = page.getByRole('dialog', { name: /^Export with / }).getByRole('button', { name: 'Export anyway' });
    const answer = async () => {
      if (await anyway.isVisible()) await anyway.click();
      return isSaved;
    };
    await expect.poll(answer, { timeout: 300_000 }).toBe(true);
  });

/** Returns the file that is saved after `act`. A busy machine may take its time to trace it. */
export async function saveBy(page: Page, act: () => Promise<void>): Promise<SavedFile> {
  const waiting: Promise<Download> = page.waitForEvent('download', { timeout: 300_000 });
  await act();
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Counts the clicks of a page from now on. A drop and typed words are none. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = document.documentElement.dataset;
    counter.clicks = '0';
    addEventListener(
      'click',
      (event) => {
        if (event.isTrusted) counter.clicks = String(Number(counter.clicks) + 1);
      },
      true,
    );
  });
  return () => page.evaluate(() => Number(document.documentElement.dataset.clicks));
}
