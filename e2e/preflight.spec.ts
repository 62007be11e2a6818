/** Preflight: what a machine cannot make is listed, marked on the stage and fixed with a click. */
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import {
  addText,
  boxAtRest,
  chooseProduct,
  dropFile,
  element,
  openWithPicture,
  type Picture,
  save,
  saveBy,
  stage,
  textElement,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const svg = (content: string): Picture => ({
  name: 'art.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600">${content}</svg>`,
  ),
});
/** At the size a design starts with, 800 px are about 190 mm. */
const hairline = '<rect x="100" y="120" width="600" height="0.4"/>';
const slit = '<rect x="100" y="200" width="600" height="120"/><rect x="100" y="320.7" width="600" height="120"/>';
const specks = '<rect x="50" y="40" width="0.5" height="0.5"/><rect x="90" y="40" width="0.5" height="0.5"/>';

/** An open cut with a double line beside it, and a part with a hole that is too small for the beam. */
const cuts =
  '<g fill="none" stroke="#ff0000"><path d="M100 100H400V400H100V102M450 100H700V400H450ZM450 100H700"/></g>' +
  '<path fill-rule="evenodd" d="M100 450H700V550H100ZM300 500h1v1h-1Z"/>';

const panel = (page: Page) => page.getByRole('region', { name: 'Preflight' });
/** The count on the status line. It opens and closes the panel. */
const line = (page: Page) => page.getByRole('button', { name: /^Preflight: / });
const mark = (page: Page, kind: string) => stage(page).locator(`[data-finding="${kind}"]`);

/** Puts another picture in the place of the one there is. */
async function replacePicture(page: Page, picture: Picture): Promise<void> {
  await page.getByRole('button', { name: 'Remove design' }).click();
  await dropFile(page, picture);
  await waitForTrace(page);
}

async function openList(page: Page): Promise<void> {
  if ((await line(page).getAttribute('aria-expanded')) !== 'true') await line(page).click();
  await expect(line(page)).toHaveAttribute('aria-expanded', 'true');
}

test('findings are listed, marked, asked about before an export, and fixed', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithPicture(page, svg('<rect x="100" y="100" width="600" height="400"/>'));

  await test.step('a sound design has no findings, and exports are enabled', async () => {
    await expect(line(page)).toHaveAccessibleName('Preflight: all clear');
    await openList(page);
    await expect(panel(page).getByText('suit this machine')).toBeVisible();
  });

  await test.step('thin lines, narrow gaps and specks are listed and marked; exports stay enabled', async () => {
    await replacePicture(page, svg(hairline + slit + specks));
    await expect(line(page)).toHaveAccessibleName('Preflight: 3 to look at');
    // The list stayed open over the change of the picture; without it the stage has no marks.
    await line(page).click();
    await expect(line(page)).toHaveAttribute('aria-expanded', 'false');
    for (const kind of ['thinLine', 'narrowGap', 'specks']) await expect(mark(page, kind)).toHaveCount(0);
    await openList(page);
    for (const kind of ['thinLine', 'narrowGap', 'specks']) await expect(mark(page, kind)).toBeAttached();
    const findings = panel(page).getByRole('listitem');
    await expect(findings.filter({ hasText: 'One line too thin' })).toContainText('the laser needs 0.2 mm');
    await expect(findings.filter({ hasText: 'One gap too narrow' })).toContainText('the laser needs 0.25 mm');
    await expect(findings.filter({ hasText: '2 specks' })).toContainText('Smaller than 0.2 mm');
    await expect(page.getByRole('button', { name: 'Export for Production Processing' })).toBeEnabled();

    // The mark lies on the hairline, and is hidden while the design moves.
    const box = await boxAtRest(mark(page, 'thinLine'));
    const art = await boxAtRest(element(page, 'design'));
    expect(box.x).toBeGreaterThan(art.x - 20);
    expect(box.width).toBeGreaterThan(0.6 * art.width);
    await page.getByRole('button', { name: /^Show: One gap too narrow/ }).click();
    await expect(page.getByRole('button', { name: /^Show: One gap too narrow/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expectNoFaults(page, 'a finding that is shown', '[aria-label="Preflight"]');
  });

  await test.step('a file with findings costs an export after one question, and none the second time', async () => {
    await line(page).click();
    await expect(line(page)).toHaveAttribute('aria-expanded', 'false');
    const production = page.getByRole('button', { name: 'Export for Production Processing' });
    const question = page.getByRole('dialog', { name: 'Export with 3 open findings?' });
    await production.click();
    await expect(question.getByRole('listitem')).toHaveText([/too thin/, /speck/, /too narrow/]);
    await expectNoFaults(page, 'the question before an export', 'dialog[open]');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(line(page)).toHaveAttribute('aria-expanded', 'false');

    await production.click();
    await question.getByRole('button', { name: 'Look at them' }).click();
    await expect(line(page)).toHaveAttribute('aria-expanded', 'true');

    const file = await saveBy(page, async () => {
      await production.click();
      await question.getByRole('button', { name: 'Export anyway' }).click();
    });
    expect(file.name).toMatch(/_production\.svg$/);
    await save(page, 'Export for Production Processing');
  });

  await test.step('art past the machine area is moved inside with one click, and undone with one key', async () => {
    await replacePicture(page, svg('<rect width="800" height="600"/>'));
    await stage(page).focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+ArrowRight');
    await expect(line(page)).toHaveAccessibleName('Preflight: 1 to look at');
    await openList(page);
    await expect(mark(page, 'outside')).toBeAttached();
    await expect(panel(page).getByText(/Reaches [\d.]+ mm past the right edge of the machine area/)).toBeVisible();
    await panel(page)
      .getByRole('button', { name: /^Move inside/ })
      .click();
    await expect(line(page)).toHaveAccessibleName('Preflight: all clear');
    await expect(mark(page, 'outside')).toHaveCount(0);
    await stage(page).focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(line(page)).toHaveAccessibleName('Preflight: 1 to look at');
  });

  await test.step('cuts are mended one by one or all at once, and what the beam cannot hold is shown', async () => {
    await replacePicture(page, svg(cuts));
    await openList(page);
    // The hole that is too small is a gap that is too narrow as well.
    await expect(line(page)).toHaveAccessibleName('Preflight: 2 to look at');
    await expect(mark(page, 'openContour')).toBeAttached();
    await expect(panel(page).getByText('Mended in the file: 1 double line.')).toBeVisible();
    await panel(page).getByRole('button', { name: 'Show: mended in the file' }).click();
    await expect(mark(page, 'mends')).toBeAttached();
    await expect(panel(page).getByText('One part, under 0.01 mm², left out of the file')).toBeVisible();
    await panel(page).getByRole('switch', { name: 'Show what the machine cannot hold' }).press('Space');
    await expect(stage(page).locator('[data-dropped]')).toBeAttached();
    await expectNoFaults(page, 'cuts and their mends', '[aria-label="Preflight"]');

    await panel(page)
      .getByRole('button', { name: /^Close the gap: One cut is open/ })
      .press('Enter');
    await expect(panel(page).getByText('Mended in the file: 1 double line, 1 gap.')).toBeVisible();
    await expect(line(page)).toHaveAccessibleName('Preflight: 1 to look at');
    await expect(panel(page).getByRole('button', { name: /^Preflight/ })).toBeFocused();
    await panel(page).getByRole('button', { name: 'Open the gaps again' }).click();
    await expect(line(page)).toHaveAccessibleName('Preflight: 2 to look at');

    await stage(page).focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+ArrowRight');
    await expect(mark(page, 'clippedCut')).toBeAttached();
    await panel(page).getByRole('button', { name: 'Mend all' }).press('Enter');
    await expect(line(page)).toHaveAccessibleName('Preflight: 1 to look at');
    await stage(page).focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(mark(page, 'clippedCut')).toBeAttached();
    await expect(mark(page, 'openContour')).toBeAttached();
  });

  await test.step('text below the minimum is enlarged with one click', async () => {
    await page.getByRole('button', { name: 'Remove design' }).click();
    await addText(page, 'Hazel');
    const size = page.getByRole('spinbutton', { name: 'Text size in inches' });
    await size.fill('0.11');
    await size.press('Enter');
    await expect(line(page)).toHaveAccessibleName(/^Preflight: \d+ to look at$/);
    await openList(page);
    await panel(page)
      .getByRole('button', { name: /^Enlarge to 0\.12 in: Text too small/ })
      .click();
    await expect(size).toHaveValue('0.12');
    await expect(panel(page).getByText('Text too small')).toHaveCount(0);
    await expect(textElement(page)).toBeAttached();
  });
});

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test('the count under the stage leads to the list', async ({ page }) => {
    await page.goto('/studio');
    await chooseProduct(page);
    await dropFile(page, svg(hairline));
    await expect(element(page, 'design').locator('path').first()).toBeAttached();
    await page.getByRole('button', { name: /^Preflight: 1 to look at/ }).click();
    await expect(panel(page).getByRole('button', { name: /^Preflight/ })).toBeFocused();
    await expect(panel(page).getByText('One line too thin')).toBeInViewport();
  });

  test('a long list scrolls between the tabs and the exports', { tag: '@detail' }, async ({ page }) => {
    await page.goto('/studio');
    await chooseProduct(page);
    await dropFile(
      page,
      svg(
        '<path fill="none" stroke="#f00" d="M100 100H400V400H100V102M450 100H700V400H450ZM650 60H780V160H650Z"/>' +
          '<path d="M100 450H700V550H100ZM100 570h600v.4H100Z"/>',
      ),
    );
    await waitForTrace(page);
    await page.getByRole('button', { name: /^Preflight: [3-9] to look at/ }).click();
    const rows = panel(page).getByRole('list', { name: 'Findings' }).getByRole('listitem');
    await expect(rows.first()).toBeInViewport();
    await rows.last().scrollIntoViewIfNeeded();
    await expect(rows.last()).toBeInViewport({ ratio: 0.9 });
    await expect(page.getByRole('button', { name: 'Export for Production Processing' })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.scrollingElement!.scrollTop)).toBe(0);
    await expectNoFaults(page, 'the list of findings on a phone');
  });
});
