/** Many names: a logo and a list become a package with a file for each name. */
import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import { createFontBook } from '@markwright/scene/text';
import type { Locator, Page } from '@playwright/test';
import { signInAsNew, takePlan } from './accounts.ts';
import { expectNoFaults, NARROW, WIDE } from './axe.ts';
import { logoPng } from './pictures.ts';
import { readProductionFile } from './productionFile.ts';
import {
  addText,
  chooseProduct,
  countClicks,
  dropFile,
  openManyNames,
  openStudio,
  saveBy,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';
import { unzip } from './zip.ts';

const NAMES = [
  ...[
    'Ada',
    'Grace',
    'Katherine',
    'Dorothy',
    'Mary',
    'Hedy',
    'Margaret',
    'Radia',
    'Barbara',
    'Frances',
    'Jean',
    'Karen',
  ],
  ...['Lynn', 'Sophie', 'Shafi', 'Adele', 'Anita', 'Evelyn', 'Joan', 'Kathleen', 'Wilhelmina', 'Zoë', 'Łucja', 'Ivy'],
];

test('24 names on tumblers from an empty studio, in at most ten clicks', async ({ page }) => {
  const account = await signInAsNew(page);
  await takePlan(page.request, account, 'studio');
  await openStudio(page);
  const clicks = await countClicks(page);
  await chooseProduct(page);
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  await addText(page, 'Wilhelmina');
  const dialog = await openManyNames(page);
  await paste(page, NAMES.join('\r\n'));
  await expect(dialog.getByText('24 pieces, 1 production export')).toBeVisible();
  await expect(dialog.getByRole('row')).toHaveCount(25);
  await expect(dialog.getByRole('figure').locator('path').first()).toBeAttached();
  await dialog.getByRole('button', { name: 'Make 24 files' }).click();
  const link = dialog.getByRole('link', { name: 'Download' });
  await expect(link).toBeVisible();
  const { name, bytes } = await saveBy(page, () => link.click());
  expect(await clicks()).toBeLessThanOrEqual(10);

  expect(name).toBe('20_oz_Skinny_Tumbler_Matte_Black_24_pieces.zip');
  const files = unzip(bytes);
  const pieces = NAMES.map((label, i) => `${String(i + 1).padStart(3, '0')}_${label}.svg`);
  expect([...files.keys()]).toEqual([...pieces, 'rows.csv', 'job-sheet.pdf']);
  const drawings = pieces.map((piece) => files.get(piece)!.toString('utf8'));
  expect(new Set(drawings).size).toBe(24);
  await test.step('every piece holds the logo and the outlines of its own name, and nothing else', async () => {
    const contours = await Promise.all(drawings.map((svg) => readContours(page, svg)));
    const counts = new Map<string, number>();
    for (const each of contours)
      for (const contour of new Set(each)) counts.set(contour, (counts.get(contour) ?? 0) + 1);
    const logo = contours[0]!.filter((contour) => counts.get(contour) === 24);
    expect(logo.length).toBeGreaterThan(2);
    for (const [i, each] of contours.entries()) {
      // An outline is there once.
      expect(new Set(each).size).toBe(each.length);
      expect(each.filter((contour) => logo.includes(contour))).toHaveLength(logo.length);
      expect([NAMES[i], each.length - logo.length]).toEqual([NAMES[i], countContours(NAMES[i]!)]);
    }
  });
  const list = files.get('rows.csv')!.toString('utf8').trim().split('\r\n');
  expect(list).toHaveLength(25);
  expect(list[22]).toContain('022_Zoë.svg,Zoë');

  await test.step('what was made before is there again', async () => {
    await dialog.getByRole('button', { name: 'Another list' }).click();
    const before = dialog.getByRole('region', { name: 'Made before' });
    await expect(before.getByRole('link', { name: 'Download' })).toBeVisible();
    await before.getByRole('button', { name: /^Delete/ }).click();
    await expect(before).toHaveCount(0);
  });

  await test.step('the same names lie on a jig, past a broken slot, a file for each sheet', async () => {
    await paste(page, 'Ada\nGrace\nMary');
    await dialog.getByRole('radio', { name: 'Gang sheet' }).check();
    await expect(dialog.getByRole('img', { name: /^A sheet with/ })).toBeVisible();
    await dialog.getByRole('radio', { name: 'On a jig' }).check();
    const jig = dialog.getByRole('region', { name: 'Jig' });
    await type(jig, 'Width of the bed', '600');
    await type(jig, 'Height of the bed', '600');
    await type(jig, 'Pitch of the columns', '0');
    await expect(dialog.getByRole('alert')).toContainText('The columns overlap: a slot is ');
    await expect(dialog.getByRole('button', { name: 'Make sheets' })).toBeDisabled();
    await jig.getByRole('button', { name: 'Fill the bed' }).click();
    await expect(jig.getByRole('button', { name: 'Slot 4 is broken' })).toBeVisible();
    for (const slot of [2, 3]) await jig.getByRole('button', { name: `Slot ${slot} is broken` }).click();
    const others = (await jig.getByRole('button', { name: /^Slot \d+ is broken/, pressed: false }).count()) - 2;
    for (let slot = 5; slot < 5 + others; slot++)
      await jig.getByRole('button', { name: `Slot ${slot} is broken` }).click();
    await expect(dialog.getByText('3 pieces on 2 sheets, 2 production exports')).toBeVisible();
    await dialog.getByRole('button', { name: 'Make 2 sheets' }).click();
    await expect(link).toBeVisible();
    const sheets = unzip((await saveBy(page, () => link.click())).bytes);
    const names = ['sheet_01.svg', 'sheet_02.svg', 'rows.csv', 'job-sheet.pdf', 'jig.svg', 'jig.dxf'];
    expect([...sheets.keys()]).toEqual(names);
    const lines = sheets.get('rows.csv')!.toString('utf8').trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',').slice(1, 5))).toEqual([
      ['sheet_01.svg', '1', '1', 'Ada'],
      ['sheet_01.svg', '1', '4', 'Grace'],
      ['sheet_02.svg', '2', '1', 'Mary'],
    ]);
    const count = async (name: string) => (await readContours(page, sheets.get(name)!.toString('utf8'))).length;
    expect(await count('sheet_01.svg')).toBeGreaterThan(await count('sheet_02.svg'));
  });
});

test('a list with faults says them, is mended in its cells, and is used on a phone', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsNew(page);
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Captain {Last Name}');
  const dialog = await openManyNames(page);
  await paste(page, 'First Name\tPhone\nAda\t1');
  await expect(dialog.getByRole('alert')).toContainText('The list has no column “Last Name”');
  await dialog.getByRole('button', { name: 'Another list' }).click();
  await paste(page, 'Name\n"Ada');
  await expect(dialog.getByRole('alert')).toContainText('Line 2, column 1:');
  await dialog.getByRole('textbox').fill('');
  await paste(page, 'lastname\tPhone\nLovelace\t1\n\t2\nHopper 😀\t3\nLovelace\t4');
  const row = (number: number) => dialog.getByRole('row').nth(number);
  await expect(row(2)).toContainText('The cell “Last Name” is empty.');
  await expect(row(3)).toContainText('Not in our fonts');
  await expect(row(4)).toContainText('The same as row 1.');
  await expect(dialog.getByRole('button', { name: 'Make 4 files' })).toBeDisabled();
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await expectNoFaults(page, `many names, ${size.width} wide`, 'dialog[open]');
    // Nothing lies below the foot of a short list.
    const ends = await dialog.evaluate((element) => [
      element.getBoundingClientRect().bottom,
      element.querySelector('.sticky.bottom-0')!.getBoundingClientRect().bottom,
    ]);
    expect(Math.abs(ends[0]! - ends[1]!)).toBeLessThan(2);
  }
  for (const layout of ['On a jig', 'Gang sheet']) {
    await dialog.getByRole('radio', { name: layout }).check();
    await expectNoFaults(page, `many names, ${layout}`, 'dialog[open]');
  }
  await dialog.getByRole('radio', { name: 'One file per piece' }).check();
  await dialog.getByRole('textbox', { name: 'lastname, row 3' }).fill('Hopper');
  await expect(row(3)).toContainText(/Fits|of its size/);
  await dialog.getByRole('switch', { name: 'Leave out rows that cannot be made' }).check();
  await expect(dialog.getByText('3 pieces, 1 production export')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Make 3 files' })).toBeEnabled();
  await dialog.getByRole('radio', { name: 'Contact sheet' }).check();
  const sheet = dialog.getByRole('region', { name: 'Contact sheet' });
  await expect(sheet.locator('svg path').first()).toBeAttached();
  await sheet.getByRole('checkbox', { name: 'Approve row 1' }).uncheck();
  await expect(sheet).toContainText('3 of 4 approved.');
  await expect(dialog.getByRole('button', { name: 'Make 2 files' })).toBeEnabled();
  await expectNoFaults(page, 'many names, contact sheet', 'dialog[open]');
  await sheet.getByRole('button', { name: 'Approve all' }).click();
  await dialog.getByRole('radio', { name: 'Table' }).check();
  await type(dialog, 'Longest width of a name', '12');
  await type(dialog, 'Least size of a name, in percent', '20');
  await expect(row(1)).toContainText('letters fill in');
  await dialog.getByRole('button', { name: 'Make 3 files' }).click();
  const question = page.getByRole('dialog', { name: /^Make 3 files with/ });
  await expect(question).toContainText('Text too small');
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Make 3 files' })).toBeEnabled();
});

async function type(region: Locator, label: string, value: string): Promise<void> {
  const field = region.getByRole('spinbutton', { name: label, exact: true });
  await field.fill(value);
  await field.press('Enter');
}

/** Pastes into the box as the keys of a person do. */
async function paste(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Paste the names' });
  await box.evaluate((element, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const book = createFontBook();

/** Returns how many closed lines a name has: holes, dots and accents are lines of their own. */
function countContours(text: string): number {
  const line = { text, fontFamily: 'Open Sans', isBold: false, isItalic: false };
  for (const { name } of book.missing(line)) book.add(name, readFileSync(findFontPath(name)!));
  return (book.outline(line)!.d.match(/M/g) ?? []).length;
}

/** Returns the closed lines of a file, each as its rounded path. */
async function readContours(page: Page, svg: string): Promise<string[]> {
  const { parseError, paths } = await readProductionFile(page, svg);
  expect(parseError).toBeUndefined();
  return paths.flatMap(({ d }) => d.split(/(?=M)/).filter((contour) => contour.trim() !== ''));
}
