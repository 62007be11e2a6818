/** The studio: of a visitor, while work goes on, with what is on the product, and its dialogs. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { signInAsAdmin, signInAsNew, takePlan } from '../accounts.ts';
import { letteredPicture } from '../letteredPicture.ts';
import { logoPng, photographOfLogo, pngFile, posterPng, tiltedSign } from '../pictures.ts';
import {
  addText,
  chooseMachine,
  chooseProduct,
  dropFile,
  element,
  openSettings,
  openStep,
  openStudio,
  stage,
  TUMBLER,
  textElement,
  waitForTrace,
} from '../studio.ts';
import { expect, intercept, test } from '../test.ts';
import { closeNotices, holdAt, take } from './states.ts';

const isNarrow = (page: Page) => page.viewportSize()!.width < 1100;
const logo = async () => ({ name: 'oak badge.png', mimeType: 'image/png', buffer: await logoPng() });
const photo = async () => ({ name: 'customer logo.jpg', mimeType: 'image/jpeg', buffer: await photographOfLogo() });
const art = (content: string) => ({
  name: 'line art.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600">${content}</svg>`,
  ),
});
const SLATE = 'Slate Coaster, 4 in Square';
const portrait = () => ({
  name: 'portrait.jpg',
  mimeType: 'image/jpeg',
  buffer: readFileSync(fileURLToPath(new URL('../../apps/web/src/samples/portrait.jpg', import.meta.url))),
});
const onPaper = () =>
  pngFile(
    'badge on paper.png',
    `<rect width="800" height="600" fill="#b9d3c0"/>
      <rect x="100" y="80" width="600" height="440" fill="#14213d"/><circle cx="400" cy="300" r="160" fill="#c8102e"/>
      <circle cx="400" cy="300" r="24" fill="#f6c915"/>`,
  );

async function dismissHints(page: Page): Promise<void> {
  const hints = page.getByRole('button', { name: /Dismiss the hint/ }).filter({ visible: true });
  for (let left = await hints.count(); left > 0; left--) await hints.first().click();
}

async function openWithProduct(page: Page, product = TUMBLER): Promise<void> {
  await openStudio(page);
  await chooseProduct(page, product);
  await dismissHints(page);
}

test('the empty studio', async ({ page }) => {
  await openStudio(page);
  await expect(page.getByRole('complementary', { name: 'Tutorial offer' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Suggested blanks' }).getByRole('button').first()).toBeVisible();
  await take(page, 'studio-empty');
  await page.getByRole('button', { name: 'Photo of a printed logo' }).click();
  await expect(page.getByRole('region', { name: 'Your picture' })).toBeVisible();
  await take(page, 'studio-picture-waits');
  await openStep(page, 'Choose Your Machine');
  await take(page, 'studio-step-1');
  await openStep(page, 'Select Product');
  await take(page, 'studio-step-2');
  await page.getByRole('searchbox', { name: 'Search products' }).fill('nothing like it');
  await take(page, 'studio-step-2-nothing');
  await page.context().setOffline(true);
  await expect(page.getByText(/You are offline/)).toBeVisible();
  await take(page, 'studio-offline');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await take(page, 'studio-menu');
});

test('products that do not load', async ({ page }) => {
  await intercept(page, '**/api/products', (route) => route.fulfill({ status: 503, body: '' }));
  await openStudio(page);
  await openStep(page, 'Select Product');
  await expect(page.getByText('The products could not be loaded.').first()).toBeVisible();
  await take(page, 'studio-no-products');
});

test('the tutorial', async ({ page }) => {
  await openStudio(page);
  await page.getByRole('button', { name: 'Help' }).click();
  const card = page.getByRole('dialog');
  for (let number = 1; number <= 7; number++) {
    await expect(card.getByText(`${number} of 7`)).toBeVisible();
    await take(page, `tutorial-${number}`);
    if (number < 7) await card.getByRole('button', { name: 'Next' }).click();
  }
});

test('a visitor', async ({ page }) => {
  await openWithProduct(page);
  await take(page, 'studio-step-3');
  await dropFile(page, { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByText('Upload Failed', { exact: true })).toBeVisible();
  await take(page, 'studio-upload-failed');
  await closeNotices(page);
  await addText(page, 'Hazel & Finn', 'Great Vibes');
  await take(page, 'studio-text');
  await page.getByRole('combobox', { name: 'Font' }).click();
  await take(page, 'studio-fonts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await take(page, 'dialog-export-needs-account');
  await page.keyboard.press('Escape');
  await openStep(page, 'Position & Preview');
  await take(page, 'studio-step-4');
  await page.getByRole('button', { name: /^Change the machine area/ }).click();
  await take(page, 'studio-machine-area');
});

test('a visitor whose mockups are used up', async ({ page }) => {
  await page.route('**/api/users/guest-usage', (route) =>
    route.fulfill({ json: { mockupsGenerated: 4, mockupsLimit: 4 } }),
  );
  await openWithProduct(page);
  await dropFile(page, await logo());
  await expect(page.getByRole('dialog', { name: 'Free mockups used up' })).toBeVisible();
  await take(page, 'dialog-mockups-used-up');
});

test('work that takes its time', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithProduct(page);
  let release = await holdAt(page, '/api/designs/vectorize', { place: 3 });
  await dropFile(page, await photo());
  await expect(page.getByText(/in line|line/i).first()).toBeAttached();
  await take(page, 'trace-in-line');
  await release();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Remove design' }).click();
  release = await holdAt(page, '/api/designs/vectorize', { stage: 'curves' });
  await dropFile(page, await photo());
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await take(page, 'trace-runs');
  await release();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await take(page, 'trace-canceled');
  await page.getByRole('button', { name: 'Remove design' }).click();

  const restore = await intercept(page, '**/api/designs/vectorize', (route) =>
    route.fulfill({ status: 422, json: { message: 'This picture needs more processing time than a trace may take.' } }),
  );
  await dropFile(page, await photo());
  await expect(page.getByText('Not traced', { exact: true }).first()).toBeVisible();
  await take(page, 'trace-failed');
  restore();
  await closeNotices(page);
  await page.getByRole('button', { name: 'Remove design' }).click();

  await dropFile(page, await photo());
  await waitForTrace(page);
  await dismissHints(page);
  await take(page, 'studio-traced');
  await closeNotices(page);
  release = await holdAt(page, '/api/designs/vectorize', { stage: 'refine' });
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  const anyway = page.getByRole('button', { name: 'Export anyway' });
  const cancel = page.getByRole('button', { name: 'Cancel the export' });
  await expect(cancel.or(anyway).first()).toBeVisible();
  if (await anyway.isVisible()) await anyway.click();
  await expect(cancel).toBeVisible();
  await take(page, 'export-runs');
  await cancel.click();
  await take(page, 'export-canceled');
  await release();
});

test('pictures, texts and groups', async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await openStep(page, 'Choose Your Machine');
  await page.getByRole('radio', { name: /uv printer/i }).check();
  await chooseProduct(page, '11 oz Ceramic Mug, White');
  await dropFile(page, { name: 'poster.png', mimeType: 'image/png', buffer: await posterPng() });
  await waitForTrace(page);
  await dismissHints(page);
  await closeNotices(page);
  await take(page, 'studio-colors');
  await page.getByRole('button', { name: 'Add another' }).click();
  await take(page, 'artworks-adding');
  await dropFile(page, await logo());
  await expect(stage(page).locator('[data-element^="design"]')).toHaveCount(2);
  await waitForTrace(page);
  await closeNotices(page);
  await take(page, 'artworks-two');
  await addText(page, 'Oak & Ash');
  await stage(page).focus();
  await page.keyboard.press('Control+a');
  await take(page, 'studio-several');
  await page.keyboard.press('Control+g');
  await take(page, 'studio-group');
  if (!isNarrow(page)) {
    await element(page, 'design').locator('path').first().click({ button: 'right', force: true });
    await take(page, 'studio-context-menu');
    await page.keyboard.press('Escape');
  }
});

test('a photograph that is engraved', async ({ page }) => {
  await openWithProduct(page, SLATE);
  await dropFile(page, portrait());
  await waitForTrace(page);
  const way = (name: RegExp) =>
    page.getByRole('radiogroup', { name: 'Four ways to burn this picture' }).getByRole('radio', { name });
  await expect(page.locator('[data-ways] svg')).toHaveCount(4);
  await closeNotices(page);
  await take(page, 'engraving-ways');
  const settings = (name: string) =>
    page.getByRole('group', { name: 'Settings of the engraving' }).getByRole('button', { name });
  const dots = element(page, 'design').locator('mask image');
  await way(/Photo/).click();
  await expect(dots).toHaveCount(1);
  for (const group of ['Tones', 'Dots', 'Negative']) {
    if ((await settings(group).getAttribute('aria-expanded')) === 'false') await settings(group).click();
    await take(page, `engraving-photo-${group.toLowerCase()}`);
  }
  await settings('Negative').click();
  await way(/Tones/).click();
  await expect(dots).toHaveCount(0);
  await settings('Lines').click();
  await take(page, 'engraving-lines');
  await settings('Lines').click();
  await way(/Line art/).click();
  await expect(way(/Line art/)).toBeChecked();
  await waitForTrace(page);
  await take(page, 'engraving-line-art');
});

test('colors that are burnt as tones', async ({ page }) => {
  await openWithProduct(page, SLATE);
  await dropFile(page, { name: 'poster.png', mimeType: 'image/png', buffer: await posterPng() });
  await waitForTrace(page);
  await expect(page.locator('[data-ways] svg')).toHaveCount(4);
  await closeNotices(page);
  await take(page, 'engraving-flat-color');
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Color mode' }).click();
  await page.getByRole('option', { name: 'Color', exact: true }).click();
  await waitForTrace(page);
  await openStep(page, 'Position & Preview');
  await page.getByRole('combobox', { name: 'Tones' }).click();
  await page.getByRole('option', { name: 'Layer for each color' }).click();
  await expect(page.getByRole('list', { name: 'Tones, the most burnt first' })).toBeVisible();
  await take(page, 'engraving-color-layers');
});

test('what preflight finds', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithProduct(page);
  await dropFile(
    page,
    art(
      '<rect x="100" y="120" width="600" height="0.4"/><rect x="100" y="200" width="600" height="120"/><rect x="100" y="320.7" width="600" height="120"/><rect x="50" y="40" width="0.5" height="0.5"/>',
    ),
  );
  await waitForTrace(page);
  await closeNotices(page);
  const line = page.getByRole('button', { name: /^Preflight: \d/ });
  await expect(line).toBeVisible();
  await line.click();
  await take(page, 'preflight');
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  await expect(page.getByRole('dialog', { name: /^Export with / })).toBeVisible();
  await take(page, 'dialog-findings');
});

test('the formats of each machine, and white ink', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithProduct(page, SLATE);
  await dropFile(page, await logo());
  await waitForTrace(page);
  await closeNotices(page);
  const machines = [
    ['laser', /Laser/, 'LightBurn project'],
    ['sublimation', /Sublimation/, 'PDF'],
    ['dtf', /DTF/, 'TIFF'],
    ['uv', /^UV/, 'PDF'],
  ] as const;
  for (const [name, machine, format] of machines) {
    await chooseMachine(page, machine);
    await page.getByRole('button', { name: /^Format of the production file/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Production file' });
    await expect(dialog).toBeVisible();
    await take(page, `dialog-format-${name}`);
    await dialog.getByRole('radio', { name: format }).first().check();
    await take(page, `dialog-format-${name}-chosen`);
    await dialog.press('Escape');
  }
  await page.getByRole('button', { name: 'Show the white ink' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'White ink' })).toHaveText('White ink · choke 0.2 mm');
  await take(page, 'white-ink');
});

test('what preflight mends in cuts', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithProduct(page);
  const specks = Array.from({ length: 40 }, (_, i) => `M${120 + 14 * i} ${470 + (i % 7) * 8}h1v1h-1Z`).join('');
  await dropFile(
    page,
    art(
      `<g fill="none" stroke="#f00"><path d="M100 100H400V400H100V102M450 100H700V400H450ZM450 100H700M650 60H780V160H650Z"/></g>` +
        `<path fill-rule="evenodd" d="M100 450H700V550H100Z${specks}"/>`,
    ),
  );
  await waitForTrace(page);
  await closeNotices(page);
  await stage(page).focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('button', { name: /^Preflight: \d/ }).click();
  await expect(page.getByRole('button', { name: 'Mend all' })).toBeVisible();
  await take(page, 'preflight-cuts');
  await page.getByRole('switch', { name: 'Show what the machine cannot hold' }).check();
  await take(page, 'preflight-detail');
  await page.getByRole('button', { name: 'Mend all' }).click();
  await expect(page.getByRole('button', { name: 'Open the gaps again' })).toBeVisible();
  await page.getByRole('button', { name: 'Show: mended in the file' }).click();
  await take(page, 'preflight-mended');
});

test('the offer of live text', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithProduct(page, SLATE);
  await dropFile(page, await letteredPicture('oak street.jpg', 'Oak Street'));
  await waitForTrace(page);
  await closeNotices(page);
  await expect(page.getByRole('note', { name: 'Lettering' })).toBeVisible();
  await take(page, 'studio-lettering-offer');
  await page.getByRole('button', { name: 'Make it live text' }).click();
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await closeNotices(page);
  await take(page, 'studio-lettering-live');
});

test('the dialogs of a picture', async ({ page }) => {
  await signInAsAdmin(page);
  await openWithProduct(page);
  await dropFile(page, await tiltedSign('shop sign.png'));
  await waitForTrace(page);
  await closeNotices(page);
  await expect(page.getByRole('note').filter({ hasText: 'tilted by' })).toBeVisible();
  await take(page, 'studio-straighten-offer');
  await page.getByRole('button', { name: 'Crop', exact: true }).click();
  await expect(page.getByRole('dialog', { name: /^Crop/ })).toBeVisible();
  await take(page, 'dialog-crop');
  await page.getByRole('radio', { name: 'Corners' }).click();
  await take(page, 'dialog-crop-corners');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove design' }).click();

  await dropFile(page, await onPaper());
  await waitForTrace(page);
  await closeNotices(page);
  const dialog = page.getByRole('dialog', { name: /^Background of/ });
  let release = await holdAt(page, '/api/designs/remove-background', { stage: 'looking' });
  await page.getByRole('button', { name: 'Remove background' }).click();
  await expect(dialog.getByText('This may take about 15 seconds.')).toBeVisible();
  await take(page, 'dialog-background-runs');
  await release();
  await dialog.getByRole('button', { name: 'Cancel' }).first().click();
  await page.getByRole('button', { name: 'Remove background' }).click();
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeEnabled();
  await take(page, 'dialog-background');
  release = await holdAt(page, '/api/designs/remove-background', { stage: 'writing' });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await take(page, 'dialog-background-keeps');
  await release();
});

test('My designs', async ({ page }) => {
  const account = await signInAsNew(page);
  await openStudio(page);
  const dialog = page.getByRole('dialog', { name: 'My designs' });
  await page.getByRole('button', { name: 'My designs' }).click();
  await expect(dialog.getByText('Nothing here yet')).toBeVisible();
  await take(page, 'my-designs-empty');
  await page.keyboard.press('Escape');
  await chooseProduct(page);
  await addText(page, 'Hazel & Finn', 'Great Vibes');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  for (const [index, name] of ['Wedding favors', 'Coasters for the Oak Yard', 'Untitled Slate Coaster'].entries()) {
    const composition = { version: 1, data: { productId: 'slate-coaster' } };
    const data = { key: `key-of-the-states-${index}`, name, composition };
    await page.request.post('/api/compositions', { data, headers: account.headers });
  }
  await page.getByRole('button', { name: 'My designs' }).click();
  await expect(dialog.getByRole('list', { name: 'Designs' }).getByRole('listitem')).toHaveCount(4);
  await take(page, 'my-designs');
});

test('out of allowance', async ({ page }) => {
  const account = await signInAsNew(page);
  await openWithProduct(page);
  await addText(page, 'Ann');
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  await expect(page.getByRole('dialog', { name: 'Vector Export Limit Reached' })).toBeVisible();
  await take(page, 'dialog-no-exports');
  await page.keyboard.press('Escape');
  await takePlan(page.request, account, 'pro');
  await page.reload();
  await expect(textElement(page)).toBeAttached();
  await take(page, 'studio-pro');
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  await expect(page.getByRole('region', { name: 'Last export' })).toBeVisible();
  await closeNotices(page);
  await take(page, 'export-made');
});

test('two devices', async ({ page, context }) => {
  await signInAsNew(page);
  await openWithProduct(page);
  const write = async (on: Page, words: string) => {
    const reply = on.waitForResponse(
      (response) => /\/api\/compositions/.test(response.url()) && (response.request().postData() ?? '').includes(words),
    );
    await on.getByRole('tab', { name: 'Add Text' }).click();
    const text = on.getByRole('button', { name: /^Text / }).first();
    if (await text.isVisible()) await text.click();
    await on.getByPlaceholder(/Type a name/).fill(words);
    await reply;
  };
  await write(page, 'Of the desk');
  const other = await context.newPage();
  await openStudio(other);
  await openStep(other, 'Add Your Design & Text');
  await write(other, 'Of the phone');
  await page.bringToFront();
  await page.getByPlaceholder(/Type a name/).fill('Later');
  await expect(page.getByText('Changed elsewhere.')).toBeVisible();
  await take(page, 'studio-changed-elsewhere');
});

test('codes and shapes', async ({ page }) => {
  await openWithProduct(page, SLATE);
  await openStep(page, 'Add Your Design & Text');
  await page.getByRole('tab', { name: 'Codes & Shapes' }).click();
  await expect(page.getByRole('button', { name: 'Add Banner' })).toBeVisible();
  await take(page, 'studio-figures');
  await page.getByRole('button', { name: 'Add QR code' }).click();
  const data = page.getByRole('textbox', { name: 'Data' }).filter({ visible: true });
  await expect(data).toBeFocused();
  await data.fill('https://markwright.test/blank/42');
  await take(page, 'studio-qr-code');
  await page.getByRole('button', { name: 'Add EAN-13' }).click();
  await page.getByRole('textbox', { name: 'Number' }).filter({ visible: true }).fill('2012345678904');
  await take(page, 'studio-ean-wrong');
  await page.getByRole('textbox', { name: 'Number' }).filter({ visible: true }).fill('2012345678903');
  await take(page, 'studio-ean');
  await page.getByRole('button', { name: 'Add Star' }).click();
  await take(page, 'studio-star');
  await page.getByRole('button', { name: 'Add Frame' }).click();
  await take(page, 'studio-frame');
  await page.getByRole('searchbox', { name: 'Search icons' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: /^Favorite:/ }).first()).toBeAttached();
  await take(page, 'studio-icons');
  await page.getByRole('searchbox', { name: 'Search icons' }).fill('heart');
  await page.getByRole('button', { name: 'Add Heart', exact: true }).first().click();
  await take(page, 'studio-icons-search');
  await openStep(page, 'Position & Preview');
  await take(page, 'studio-figure-position');
});
