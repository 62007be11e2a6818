/** Texts in fonts of single lines: chosen, on the stage, and in the files. */
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { readProductionFile } from './productionFile.ts';
import { addText, chooseProduct, openStudio, save, saveAnyway, textElement, waitForDrawing } from './studio.ts';
import { expect, test } from './test.ts';

const PRODUCTION = 'Export for Production Processing';

test('a name in a single-line font is scored: from the chooser to the SVG and the DXF', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await page.getByRole('radio', { name: /laser engraver/i }).check();
  await chooseProduct(page);
  await addText(page, 'Hazel');
  const letters = textElement(page).locator('path').first();
  const before = await letters.getAttribute('d');

  const chooser = page.getByRole('dialog', { name: 'Choose a font' });
  // A face that takes more than two seconds is not shown in this visit of the chooser.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Font' }).click();
    await chooser.getByRole('button', { name: 'Single line' }).click();
    await expect(chooser.getByRole('group', { name: 'Single line' })).toBeVisible();
    await expect(chooser.getByRole('option')).toHaveCount(10);
    // Each shows the person's own words, by strokes.
    const sample = chooser.getByRole('option', { name: 'EMS Allure' }).locator('span[style]');
    await sample.scrollIntoViewIfNeeded();
    await waitForDrawing(page);
    await expect(sample).toHaveText('Hazel');
    await expect(sample).toHaveCSS('-webkit-text-stroke-width', /^0\.[5-9]|^1/, { timeout: 5000 });
  }).toPass();
  await expectNoFaults(page, 'fonts of single lines', '[role=listbox]');
  await chooser.getByRole('option', { name: 'EMS Readability' }).click();

  await expect(letters).not.toHaveAttribute('d', before!);
  await expect(letters).toHaveAttribute('fill', 'none');
  await expect(letters).toHaveAttribute('stroke', /#0000ff/i);
  expect(await letters.getAttribute('d')).not.toContain('Z');
  await expect(page.getByText('Design Ready!')).toBeVisible();

  const svg = await save(page, PRODUCTION);
  const { paths } = await readProductionFile(page, svg.bytes.toString('utf8'));
  expect(new Set(paths.map(({ group }) => group))).toEqual(new Set(['score-c01']));
  expect(paths.every(({ fill, stroke }) => fill === 'none' && /^#0000ff$/i.test(stroke))).toBe(true);
  // H, a, z and l are open; only the loop of an e might close.
  const count = (of: 'subpaths' | 'closed') => paths.reduce((sum, path) => sum + path[of], 0);
  expect(count('subpaths')).toBeGreaterThanOrEqual(5);
  expect(count('closed')).toBe(0);

  await page.getByRole('button', { name: 'Format of the production file: SVG' }).click();
  const question = page.getByRole('dialog', { name: 'Production file' });
  await question.getByRole('radio', { name: 'DXF' }).check();
  const dxf = await saveAnyway(page, () => question.getByRole('button', { name: 'Export DXF' }).press('Enter'));
  const tags = dxf.bytes.toString('latin1').split('\r\n');
  const polylines = tags.flatMap((tag, i) => {
    if (tag !== 'POLYLINE') return [];
    const end = tags.indexOf('VERTEX', i);
    const readTag = (code: string) => tags.slice(i, end).find((_, k, all) => all[k - 1] === code && k % 2 === 0);
    return [{ layer: readTag('8'), isClosed: readTag('70') === '1' }];
  });
  expect(polylines.length).toBeGreaterThanOrEqual(5);
  expect(new Set(polylines.map(({ layer }) => layer))).toEqual(new Set(['SCORE-C01']));
  expect(polylines.some(({ isClosed }) => isClosed)).toBe(false);
});
