/** The main job: a customer's picture and a name on a blank become a correct production file. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { fillInAdminLogin, signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { logoPng, logoSvg, photographOfLogo } from './pictures.ts';
import { type Box, type ReadFile, readProductionFile, unite } from './productionFile.ts';
import {
  addText,
  chooseProduct,
  dragBy,
  dropFile,
  element,
  openStudio,
  readMachineArea,
  readNumbers,
  type ShownNumbers,
  save,
  saveAnyway,
  shownInkMm,
  stage,
  textElement,
  waitForTrace,
  waitUntilLoaded,
} from './studio.ts';
import { expect, test } from './test.ts';

const PRODUCTION = 'Export for Production Processing';
const MM_PER_INCH = 25.4;

test('a photograph and a name, from the drop to the machine file and the mockup', async ({ page }) => {
  await openStudio(page);
  await page.getByRole('radio', { name: /laser engraver/i }).check();
  await chooseProduct(page);
  await dropFile(page, { name: 'customer logo.jpg', mimeType: 'image/jpeg', buffer: await photographOfLogo(600) });
  await waitForTrace(page);
  await addText(page, 'Hazel & Finn', 'Great Vibes');

  await dragBy(page, textElement(page), 6, 20);
  await dragBy(page, element(page, 'design'), -4, -110);
  const areaMm = await readMachineArea(page);
  const design = await readNumbers(page, /customer logo/);
  const text = await readNumbers(page, /Hazel/);
  expect(design.y).toBeLessThan(-10);
  expect(text.y).toBeGreaterThan(10);
  await expect(page.getByText('Design Ready!')).toBeVisible();

  // Exports need an account; the work waits meanwhile.
  await page.getByRole('button', { name: PRODUCTION }).click();
  const dialog = page.getByRole('dialog', { name: 'Production Export Requires Account' });
  await dialog.getByRole('link', { name: 'I have one already' }).click();
  await fillInAdminLogin(page);
  await expect(page).toHaveURL(/\/studio$/);
  // Said last: it takes the place of the welcome.
  await expect(page.getByText('Kept in your account').first()).toBeVisible();
  await expect(element(page, 'design').locator('path').first()).toBeAttached();
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await waitUntilLoaded(page);
  await expect(async () => {
    expect(await readNumbers(page, /customer logo/)).toEqual(design);
    expect(await readNumbers(page, /Hazel/)).toEqual(text);
  }).toPass();
  const shownDesign = await shownInkMm(element(page, 'design'), areaMm);
  const shownText = await shownInkMm(textElement(page), areaMm);

  const production = await save(page, PRODUCTION);
  expect(production.name).toBe('20_oz_Skinny_Tumbler_Matte_Black_production.svg');
  const file = await readProductionFile(page, production.bytes.toString('utf8'));
  expectMachineReady(file, areaMm);
  const { upper, lower } = split(file, areaMm);
  // The trace on screen is the quick one, the file's the fine one: they differ by less than a beam.
  expectClose(upper, shownDesign, 0.15);
  expectClose(lower, shownText, 0.05);
  // And it is as large as the panel says.
  expectClose(upper, boxOf({ ...design, areaMm }), 0.2);
  expectClose(lower, boxOf({ ...text, areaMm }), 0.15);

  await test.step('the same as a DXF, chosen by keys', async () => {
    const format = page.getByRole('button', { name: 'Format of the production file: SVG' });
    await format.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Production file' });
    await question.getByRole('radio', { name: 'SVG' }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
    await expect(question.getByRole('radio', { name: 'DXF' })).toBeChecked();
    await expectNoFaults(page, 'the choice of the format', 'dialog[open]');
    // Asked again where Preflight has found more since: it judges in the background.
    const dxf = await saveAnyway(page, () => question.getByRole('button', { name: 'Export DXF' }).press('Enter'));
    expect(dxf.name).toMatch(/^20_oz_Skinny_Tumbler_Matte_Black_[\d.]+x[\d.]+mm\.dxf$/);
    expect(dxf.bytes.toString('latin1')).toMatch(/^0\r\nSECTION\r\n.*AC1009.*ENGRAVE-C00.*EOF\r\n$/s);
    await expect(page.getByText('DXF exported successfully!').first()).toBeVisible();
    // Kept for this machine on this device.
    await expect(page.getByRole('button', { name: 'Format of the production file: DXF' })).toBeVisible();
  });

  // The picture of it agrees with the file.
  const mockup = await save(page, /Export PNG Preview/);
  expect(mockup.name).toBe('20_oz_Skinny_Tumbler_Matte_Black_preview.png');
  await stage(page).focus();
  await readNumbers(page, /customer logo/);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(element(page, 'design')).toHaveCount(0);
  const bare = await save(page, /Export PNG Preview/);
  const ink = await differenceMm(page, mockup.bytes, bare.bytes);
  expectClose(ink, onTumbler(upper, areaMm), 0.01 * Math.max(upper.width, upper.height));
});

test('a picture alone is as large in the file as the studio says', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto('/studio');
  await chooseProduct(page);

  await test.step('a PNG, to a tenth of a millimeter', async () => {
    const { upper, numbers } = await exportAlone(page, {
      name: 'badge.png',
      mimeType: 'image/png',
      buffer: await logoPng(),
    });
    expectClose(upper, boxOf(numbers), 0.12);
    // The badge is 260 x 260 in a page of 400 x 300: the size is that of the badge.
    expect(Math.abs(numbers.width - numbers.height)).toBeLessThanOrEqual(0.11);
  });

  await page.getByRole('button', { name: 'Remove design' }).click();
  await test.step('an SVG, which goes through as it is', async () => {
    const { upper, numbers } = await exportAlone(page, {
      name: 'badge.svg',
      mimeType: 'image/svg+xml',
      buffer: logoSvg(),
    });
    expectClose(upper, boxOf(numbers), 0.1);
    expect(numbers.width).toBe(numbers.height);
  });

  await page.getByRole('button', { name: 'Remove design' }).click();
  await test.step('a DXF at the size it says, on the stage, in the panel, in the file, and when it is opened again', async () => {
    await dropFile(page, { name: 'part.dxf', mimeType: '', buffer: Buffer.from(dxfOf(40, 25)) });
    await expect(page.getByText('Outlines kept', { exact: true })).toBeVisible();
    await expect(page.getByText('part.dxf is 40.0 × 25.0 mm.').first()).toBeVisible();
    const card = page.getByLabel('Design & text');
    await expect(card.getByText('40.0 × 25.0 mm as in the file')).toBeVisible();
    await expect(card.getByText('1 engraved · 1 cut')).toBeVisible();
    await expect(card.getByText(/names no unit/)).toBeVisible();
    // A file of outlines is never traced, so its card has no words of a trace.
    await expect(card.getByText(/trace|px|color mode|picture settings/i)).toHaveCount(0);
    const areaMm = await readMachineArea(page);
    expect(await readNumbers(page, /part\.dxf/)).toEqual({ x: 0, y: 0, width: 40, height: 25 });
    expectClose(await shownInkMm(element(page, 'design'), areaMm), { ...middleOf(areaMm, 40, 25) }, 0.15);
    const production = await save(page, PRODUCTION);
    const { paths } = await readProductionFile(page, production.bytes.toString('utf8'));
    expectClose(unite(paths.map(({ box }) => box)), middleOf(areaMm, 40, 25), 0.01);

    await waitUntilLoaded(page);
    await page.reload();
    await expect(card.getByText('40.0 × 25.0 mm as in the file')).toBeVisible();
    expect(await readNumbers(page, /part\.dxf/)).toEqual({ x: 0, y: 0, width: 40, height: 25 });
    await page.getByRole('spinbutton', { name: 'Width in millimeters' }).fill('20');
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: 'True size' }).click();
    expect(await readNumbers(page, /part\.dxf/)).toMatchObject({ width: 40, height: 25 });
  });
});

const middleOf = ({ width, height }: { width: number; height: number }, w: number, h: number): Box => ({
  x: (width - w) / 2,
  y: (height - h) / 2,
  width: w,
  height: h,
});

/** A DXF without a unit: a frame that is cut, and a circle in it that is engraved. */
function dxfOf(width: number, height: number): string {
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ].flatMap(([x, y]) => [10, x, 20, y]);
  const frame = [0, 'LWPOLYLINE', 8, 'CUT', 90, 4, 70, 1, ...corners];
  const circle = [0, 'CIRCLE', 8, 'ENGRAVE', 10, width / 2, 20, height / 2, 40, height / 4];
  return [0, 'SECTION', 2, 'ENTITIES', ...frame, ...circle, 0, 'ENDSEC', 0, 'EOF', ''].join('\n');
}

/** Places one picture above the middle, and exports it. */
async function exportAlone(page: Page, picture: { name: string; mimeType: string; buffer: Buffer }) {
  await dropFile(page, picture);
  await waitForTrace(page);
  await dragBy(page, element(page, 'design'), 9, -60);
  const areaMm = await readMachineArea(page);
  const numbers = await readNumbers(page, new RegExp(picture.name));
  const production = await save(page, PRODUCTION);
  const file = await readProductionFile(page, production.bytes.toString('utf8'));
  expectMachineReady(file, areaMm);
  const upper = unite(file.paths.map(({ box }) => box));
  return { upper, numbers: { ...numbers, areaMm } };
}

/** Where the ink lies in the machine area, by the numbers the person reads. */
function boxOf({ areaMm, x, y, width, height }: ShownNumbers & { areaMm: { width: number; height: number } }): Box {
  return { x: areaMm.width / 2 + x - width / 2, y: areaMm.height / 2 + y - height / 2, width, height };
}

/** Checks what every machine's software needs: true millimeters, plain closed paths, nothing that could be dropped. */
function expectMachineReady(file: ReadFile, areaMm: { width: number; height: number }): void {
  expect(file.parseError).toBeUndefined();
  expect(file.width).toMatch(/^[\d.]+mm$/);
  expect(file.height).toMatch(/^[\d.]+mm$/);
  expect(Number.parseFloat(file.width)).toBeCloseTo(areaMm.width, 1);
  expect(Number.parseFloat(file.height)).toBeCloseTo(areaMm.height, 1);
  expect(file.viewBox).toEqual([0, 0, Number.parseFloat(file.width), Number.parseFloat(file.height)]);
  expect(file.tags.filter((tag) => !['svg', 'g', 'path'].includes(tag))).toEqual([]);
  for (const name of ['transform', 'style', 'class', 'clip-path', 'mask', 'filter', 'href', 'xlink:href']) {
    expect(file.attributes).not.toContain(name);
  }
  expect(file.paths.length).toBeGreaterThan(0);
  for (const path of file.paths) {
    expect(path.closed, path.d.slice(0, 80)).toBe(path.subpaths);
    expect(path.fill).toBe('#000000');
    expect(path.group).toBe('engrave-c00');
    expect(path.box.x).toBeGreaterThanOrEqual(-0.001);
    expect(path.box.y).toBeGreaterThanOrEqual(-0.001);
    expect(path.box.x + path.box.width).toBeLessThanOrEqual(areaMm.width + 0.06);
    expect(path.box.y + path.box.height).toBeLessThanOrEqual(areaMm.height + 0.06);
  }
}

/** Returns the boxes of the ink above and below the middle of the machine area. */
function split(file: ReadFile, areaMm: { height: number }): { upper: Box; lower: Box } {
  const boxes = file.paths.map(({ box }) => box);
  const isUpper = (box: Box) => box.y + box.height / 2 < areaMm.height / 2;
  return { upper: unite(boxes.filter(isUpper)), lower: unite(boxes.filter((box) => !isUpper(box))) };
}

/** The mean diameter of the tumbler along its print area, mm. */
const TUMBLER_DIAMETER_MM = 73.4;

/** Returns a box as it looks from the front: the tumbler's sides turn away. */
function onTumbler({ x, y, width, height }: Box, areaMm: { width: number }): Box {
  const [middle, radius] = [areaMm.width / 2, TUMBLER_DIAMETER_MM / 2];
  const seenAt = (mm: number) => middle + radius * Math.sin((mm - middle) / radius);
  return { x: seenAt(x), y, width: seenAt(x + width) - seenAt(x), height };
}

function expectClose(box: Box, expectedBox: Box, toleranceMm: number): void {
  for (const side of ['x', 'y', 'width', 'height'] as const) {
    const message = `${side}: ${box[side].toFixed(3)} mm, wanted ${expectedBox[side].toFixed(3)} mm`;
    expect(Math.abs(box[side] - expectedBox[side]), message).toBeLessThanOrEqual(toleranceMm);
  }
}

/** Returns the box in which two mockups differ, in mm of the machine area. The print area calibrates their pixels. */
async function differenceMm(page: Page, a: Buffer, b: Buffer): Promise<Box> {
  const [first, second] = await Promise.all(
    [a, b].map((png) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  const { width, height } = first!.info;
  expect(Math.max(width, height)).toBe(2000);
  expect(second!.info).toMatchObject({ width, height });
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      if (Math.abs(first!.data[i]! - second!.data[i]!) < 24) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x + 1);
      bottom = Math.max(bottom, y + 1);
    }
  }
  const products = await page.request.get('/api/products');
  const { dimensions, printArea } = (
    (await products.json()) as { name: string; dimensions: string; printArea: Box }[]
  ).find(({ name }) => name === '20 oz Skinny Tumbler')!;
  const pxPerMm = (width * printArea.width) / (Number(dimensions.split('x')[0]) * MM_PER_INCH);
  return {
    x: (left - width * printArea.x) / pxPerMm,
    y: (top - height * printArea.y) / pxPerMm,
    width: (right - left) / pxPerMm,
    height: (bottom - top) / pxPerMm,
  };
}
