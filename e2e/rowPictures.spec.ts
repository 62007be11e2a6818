/** Many names with pictures: a list and a ZIP of logos become files that each have their own logo. */

import type { Page } from '@playwright/test';
import { signInAsNew, takePlan } from './accounts.ts';
import { expectNoFaults, NARROW, WIDE } from './axe.ts';
import { drawLogo, LOGOS, zipLogos } from './logoZip.ts';
import { logoPng } from './pictures.ts';
import { readProductionFile } from './productionFile.ts';
import {
  addText,
  chooseMachine,
  chooseProduct,
  dropFile,
  openManyNames,
  openStudio,
  saveBy,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';
import { unzip } from './zip.ts';

const ROWS = [
  ['Ada', 'acme'],
  ['Grace', 'logos/BÉTA_ltd.PNG'],
  ['Mary', 'Gamma.png'],
  ['Hedy', 'delta.svg'],
] as const;

test('four names with four logos of a ZIP', { tag: '@detail' }, async ({ page }) => {
  const account = await signInAsNew(page);
  await takePlan(page.request, account, 'studio');
  await openStudio(page);
  // A printer's file has a group for each element.
  await chooseMachine(page, /UV/);
  await chooseProduct(page);
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  await addText(page, 'Wilhelmina');
  const dialog = await openManyNames(page);
  const rows = [['Name', 'Logo'], ...ROWS, ['Joan', 'initech.png'], ['Ivy', '']];
  await dialog.getByRole('textbox').fill(rows.map((cells) => cells.join('\t')).join('\n'));
  await dialog.getByRole('button', { name: 'Use this list' }).click();
  const row = (number: number) => dialog.getByRole('row').nth(number);
  await expect(row(1)).toContainText('Waits for its picture.');
  await expect(row(6)).toContainText('No picture in “Logo”: the one on the stage is used.');

  const input = dialog.getByLabel('Pictures of the rows').and(page.locator('input'));
  const files = dialog.getByRole('region', { name: 'Pictures of the rows' });
  await test.step('what is no picture is named, and the pictures are traced', async () => {
    await input.setInputFiles({
      name: 'half.zip',
      mimeType: 'application/zip',
      buffer: (await zipLogos()).subarray(0, 900),
    });
    await expect(files).toContainText('half.zip: This ZIP is cut off. Download or make it again.');
    const more = {
      'logos/fake.png': new TextEncoder().encode('no picture'),
      'logos/unused.png': new Uint8Array(
        await drawLogo('<rect x="20" y="20" width="90" height="160"/><rect x="130" y="20" width=".5" height="160"/>'),
      ),
    };
    await input.setInputFiles({ name: 'logos.zip', mimeType: 'application/zip', buffer: await zipLogos(more) });
    await expect(files.getByRole('status')).toHaveText('5 pictures.');
    await expect(files).toContainText('In no row: unused.png.');
    await expect(files).toContainText('“fake.png” is no PNG, JPG or SVG.');
    for (const number of [1, 2, 3, 4]) {
      await expect(row(number).locator('img')).toBeVisible();
      await expect(row(number)).toContainText(/Fits|of its size/);
    }
    await expect(row(5)).toContainText('No picture is called “initech.png”.');
  });

  await test.step('a picture that is too fine at its size is named in its row', async () => {
    const cell = dialog.getByRole('textbox', { name: 'Logo, row 5' });
    await cell.fill('unused');
    await expect(row(5)).toContainText('thin');
    await cell.fill('initech.png');
    await expect(row(5)).toContainText('No picture is called “initech.png”.');
  });

  await test.step('the same pictures again are not uploaded again', async () => {
    const uploads: string[] = [];
    page.on('request', (request) => request.url().includes('/designs/upload') && uploads.push(request.url()));
    await input.setInputFiles({ name: 'logos.zip', mimeType: 'application/zip', buffer: await zipLogos() });
    await expect(files.getByRole('status')).toHaveText('4 pictures.');
    expect(uploads).toEqual([]);
  });

  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    await expectNoFaults(page, `pictures by row, ${size.width} wide`, 'dialog[open]');
  }
  await dialog.getByRole('button', { name: 'Remove row 6' }).click();
  await dialog.getByRole('button', { name: 'Remove row 5' }).click();
  await dialog.getByRole('radio', { name: 'Contact sheet' }).check();
  const pieces = dialog.getByRole('region', { name: 'Contact sheet' }).getByRole('listitem');
  await expect(pieces).toHaveCount(4);
  for (const piece of await pieces.all()) await expect(piece.locator('svg path').first()).toBeAttached();

  await test.step('each file has its own logo, in the box of the one on the stage', async () => {
    await dialog.getByRole('button', { name: 'Make 4 files' }).click();
    const anyway = page.getByRole('button', { name: 'Make anyway' });
    const link = dialog.getByRole('link', { name: 'Download' });
    await expect(anyway.or(link)).toBeVisible();
    if (await anyway.isVisible()) await anyway.click();
    await expect(link).toBeVisible();
    const pack = unzip((await saveBy(page, () => link.click())).bytes);
    expect([...pack.keys()].slice(0, 4)).toEqual(['001_Ada.svg', '002_Grace.svg', '003_Mary.svg', '004_Hedy.svg']);
    for (const [i, logo] of Object.values(LOGOS).entries()) {
      const svg = [...pack.values()][i]!.toString('utf8');
      const { width, height, area } = await measureDesign(page, svg);
      expect.soft(width / height / logo.aspect, `proportions of logo ${i}`).toBeCloseTo(1, 1);
      expect.soft(area / (width * height), `area of logo ${i}`).toBeCloseTo(logo.share, 1);
    }
    const list = pack.get('rows.csv')!.toString('utf8');
    expect(list).toContain('logos/BÉTA_ltd.PNG');
  });
});

/** Returns the size of the box around the design of a file, and the area inside its outlines, in its own units. */
async function measureDesign(page: Page, svg: string) {
  const { paths } = await readProductionFile(page, svg);
  const outlines = paths.filter(({ group }) => group.startsWith('design')).map(({ d }) => d);
  expect(outlines.length).toBeGreaterThan(0);
  return page.evaluate((all) => {
    let [left, top, right, bottom, area] = [Infinity, Infinity, -Infinity, -Infinity, 0];
    for (const d of all) {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', d);
      const length = path.getTotalLength();
      const points = Array.from({ length: 2_000 }, (_, i) => path.getPointAtLength((length * i) / 2_000));
      for (const [i, { x, y }] of points.entries()) {
        const next = points[(i + 1) % points.length]!;
        area += (x * next.y - next.x * y) / 2;
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      }
    }
    return { width: right - left, height: bottom - top, area: Math.abs(area) };
  }, outlines);
}
