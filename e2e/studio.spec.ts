/** The studio beyond the main job: what it refuses, remembers and asks for, and its use by keyboard. */
import type { Page } from '@playwright/test';
import { fillInAdminLogin, signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { logoPng } from './pictures.ts';
import {
  addText,
  boxAtRest,
  chooseMachine,
  chooseProduct,
  dropFile,
  element,
  openStep,
  openStudio,
  readMachineArea,
  readNumbers,
  save,
  stage,
  TUMBLER,
  textElement,
  waitForDrawing,
  waitForTrace,
} from './studio.ts';
import { expect, intercept, test } from './test.ts';

const refusedFile = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') };
const logo = async () => ({ name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
const notices = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
const preview = (page: Page) => page.getByRole('complementary', { name: 'Live Preview' });
const headerLinks = (page: Page) =>
  page
    .getByRole('banner')
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));

test('a picture is refused, replaced, joined by texts and deleted', { tag: '@detail' }, async ({ page, context }) => {
  await openStudio(page);
  await chooseProduct(page);
  const uploads: string[] = [];
  const restore = await intercept(page, '**/api/designs/upload', (route) => {
    uploads.push(route.request().postDataBuffer()?.toString('latin1') ?? '');
    return route.fulfill({ status: 400, json: { message: 'No.' } });
  });

  await test.step('a file that is no picture is refused before it is sent', async () => {
    await dropFile(page, refusedFile);
    const notice = page.getByRole('region', { name: /Notifications/ });
    await expect(notice.getByText('Invalid file type')).toBeVisible();
    await expect(notice.getByText('Please upload an image file (PNG, JPG, etc.)')).toBeVisible();
    expect(uploads).toEqual([]);
  });

  await test.step('of several dropped pictures only the first is uploaded', async () => {
    const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) });
    await dropFile(page, picture('first.png'), picture('second.png'));
    await expect(page.getByText('Upload Failed', { exact: true })).toBeVisible();
    expect(uploads).toHaveLength(1);
    expect(uploads[0]).toContain('filename="first.png"');
    restore();
  });

  await test.step('a picture that cannot be read says so and can be replaced', async () => {
    const reply = page.waitForResponse('**/api/designs/upload');
    const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') };
    await page.getByLabel('Design file').setInputFiles(broken);
    // On a busy server the refusal comes in a stream that tells the place in the line first, with status 200.
    expect(await (await reply).text()).toContain('"message"');
    await expect(page.getByText('Upload Failed', { exact: true })).toBeVisible();
  });

  await test.step('an upload whose answer is lost is a pause, and one picture', async () => {
    let attempts = 0;
    const mend = await intercept(page, '**/api/designs/upload', async (route) => {
      attempts++;
      if (attempts > 2) return route.fallback();
      if (attempts === 1) expect((await route.fetch()).ok()).toBe(true); // stored, but nobody hears of it
      await route.abort();
    });
    await page.getByLabel('Design file').setInputFiles(await logo());
    await waitForTrace(page);
    mend();
    expect(attempts).toBe(3);
    expect(await (await page.request.get('/api/designs')).json()).toHaveLength(1);
  });

  await test.step('a picture that cannot be traced is not called ready; nothing can be exported before it is traced', async () => {
    const stopRefusing = await intercept(page, '**/api/designs/vectorize', (route) =>
      route.fulfill({ status: 422, json: { message: 'There is nothing to trace in it.' } }),
    );
    await page.getByRole('button', { name: 'Remove design' }).click();
    await page.getByLabel('Design file').setInputFiles(await logo());
    await expect(page.getByText('There is nothing to trace in it.').first()).toBeVisible();
    const exportPanel = page.getByRole('region', { name: 'Export' });
    await expect(exportPanel.getByText('Trace the picture, or remove it.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Preflight: not traced' })).toBeVisible();
    for (const name of ['Export for Production Processing', /Custom SVG/, /Export PNG Preview/]) {
      await expect(exportPanel.getByRole('button', { name })).toBeDisabled();
    }
    await expect(page.getByText('Design Ready!')).toHaveCount(0);
    await expectNoFaults(page, 'a trace that failed', 'main');
    stopRefusing();
    await page.getByRole('button', { name: 'Trace', exact: true }).click();
    await waitForTrace(page);
    await expect(page.getByText('Design Ready!')).toBeVisible();
  });

  await test.step('a new text is placed under the design, the next one under it', async () => {
    await addText(page, 'Ann');
    await page.getByRole('button', { name: 'Add text' }).click();
    await page.getByPlaceholder(/Type a name/).fill('& Finn');
    await expect(textElement(page)).toHaveCount(2);
    const design = await readNumbers(page, /logo/);
    const first = await readNumbers(page, /Ann/);
    const second = await readNumbers(page, /Finn/);
    expect(first.y - first.height / 2).toBeGreaterThan(design.y + design.height / 2);
    expect(second.y - second.height / 2).toBeGreaterThan(first.y + first.height / 2);
  });

  await test.step('a design that was deleted is removed, the rest stays', async () => {
    await expect(page.getByText('Saved on this device')).toBeVisible();
    await context.clearCookies(); // another visitor, as far as the server knows
    await page.reload();
    await expect(page.getByText('Your picture is no longer here').first()).toBeVisible();
    await expect(textElement(page).locator('path').first()).toBeAttached();
    await expect(element(page, 'design')).toHaveCount(0);
  });
});

test('steps, products and the accent follow what is chosen', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  const step = (number: number) => page.locator(`[data-step="${number}"]`);
  const color = (number: number) =>
    step(number)
      .locator('h2')
      .evaluate((heading) => getComputedStyle(heading).color);

  await test.step('a step that cannot be used yet is dimmed', async () => {
    await expect.poll(() => color(3)).not.toBe(await color(2));
    expect(await color(3)).toBe(await color(4));
  });

  await test.step('steps open one after the other and remember which are folded', async () => {
    await expect(step(2)).toHaveAttribute('data-state', 'active');
    await expect(step(3)).toHaveAttribute('data-state', 'waiting');
    await expect(page.getByText('Select a Product')).toBeVisible();
    await openStep(page, 'Add Your Design & Text');
    await expect(step(3).getByText('Product Selection Required')).toBeVisible();
    await openStep(page, 'Choose Your Machine');
    await page.getByRole('button', { name: 'Dismiss the hint of step 1' }).click();

    await chooseProduct(page, 'Slate Coaster, 4 in Square');
    await chooseProduct(page);
    await expect(step(2)).toHaveAttribute('data-state', 'done');
    await expect(step(3)).toHaveAttribute('data-state', 'active');
    await expect(step(4)).toHaveAttribute('data-state', 'waiting');
    await expect.poll(() => color(3)).toBe(await color(1));
    await addText(page, 'Ann');
    await expect(step(4)).toHaveAttribute('data-state', 'active');
    await expect(page.getByText('Design Ready!')).toBeVisible();
    await expect(preview(page)).toBeVisible();

    await page.reload();
    await expect(textElement(page).locator('path').first()).toBeAttached();
    await openStep(page, 'Select Product');
    await expect(page.getByRole('button', { name: 'Dismiss the hint of step 2' })).toBeVisible();
    await openStep(page, 'Choose Your Machine');
    await expect(page.getByRole('button', { name: 'Dismiss the hint of step 1' })).toHaveCount(0);
  });

  await test.step('what was used last is offered first at the next visit', async () => {
    await openStep(page, 'Select Product');
    const recent = page.getByRole('region', { name: 'Recently used' }).getByRole('button');
    await expect(recent).toHaveText([/^20 oz Skinny Tumbler, Matte Black/, /^Slate Coaster, 4 in Square/]);
    await expect(step(2)).toContainText('Blank size: typical of the trade, 2.9 in across, 8.1 in tall with lid');
    // The chosen one is also in its category, and marked once: where it was chosen last.
    const selectedCard = page.getByRole('button', { name: /^20 oz Skinny Tumbler, Matte Black/, pressed: true });
    await expect(selectedCard).toHaveCount(1);
    await page
      .getByRole('region', { name: /^Tumblers/ })
      .getByRole('button', { name: /^20 oz Skinny Tumbler, Matte Black/ })
      .click();
    await expect(page.getByRole('region', { name: /^Tumblers/ }).locator('[aria-pressed=true]')).toHaveCount(1);
    await expect(selectedCard).toHaveCount(1);
    await page.getByRole('searchbox', { name: 'Search products' }).fill('tumbelr');
    await expect(recent).toHaveCount(0);
    await expect(page.getByRole('region', { name: /^Tumblers/ })).toBeVisible();
  });

  await test.step('the accent follows the machine', async () => {
    const accent = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
    const laser = await accent();
    await chooseMachine(page, /UV printer/i);
    await expect.poll(accent).not.toBe(laser);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await expect(page).toHaveURL(/\/$/);
    // The address changes before the page does.
    await expect.poll(accent).toBe(laser);
  });
});

test('a visitor makes counted mockups, and needs an account for the exports', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/auth');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await openStudio(page);

  await test.step('the header shows a visitor the links that are for them', async () => {
    await expect(page.getByRole('link', { name: 'Login / Sign Up' })).toBeVisible();
    const links = await headerLinks(page);
    expect(links).toEqual(expect.arrayContaining(['/', '/auth?next=%2Fstudio', '/plans', '/feedback']));
    expect(links).not.toContain('/profile');
  });

  await test.step('a visitor’s mockups are counted', async () => {
    await expect(page.getByText("You've used 0 of your free mockups.")).toBeVisible();
    await chooseProduct(page);
    await dropFile(page, await logo());
    await waitForTrace(page);
    await expect(page.getByText("You've used 1 of your free mockups.")).toBeVisible();
    const record = () => page.evaluate(() => JSON.parse(localStorage.getItem('markwright-usage') ?? '{}'));
    await expect.poll(record).toMatchObject({ mockupsGenerated: 1 });
  });

  await test.step('the exports ask for an account', async () => {
    await addText(page, 'Ann', 'Lobster');
    for (const [button, title] of [
      ['Export for Production Processing', 'Production Export Requires Account'],
      ['Custom SVG', 'Custom SVG Export Requires Account'],
      ['Export PNG Preview', 'PNG Export Requires Account'],
    ] as const) {
      await page.getByRole('button', { name: button }).hover();
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('button', { name: button })).toBeFocused();
    }
  });

  await test.step('no page violates the policy it is served with', async () => {
    await page.getByRole('button', { name: 'Undo' }).first().hover();
    await expect(page.getByRole('tooltip')).toBeVisible();
    expect(complaints).toEqual([]);
  });

  await test.step('the count of mockups leads to the form of a new account', async () => {
    const banner = 'Create an account for unlimited mockups';
    await page.getByRole('button', { name: 'Custom SVG' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    // A press on a busy page: the browser has closed the one question, and says so after the next was opened.
    await page.evaluate((banner) => {
      document.querySelector<HTMLDialogElement>('dialog[open]')?.requestClose();
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === banner)?.click();
    }, banner);
    await expect(page.getByRole('dialog', { name: banner })).toBeVisible();
    await page.getByRole('dialog').getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('the header leads to the login and shows an administrator the links that are for them', async () => {
    await page.goBack();
    await page.getByRole('link', { name: 'Login / Sign Up' }).click();
    await fillInAdminLogin(page);
    await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
    expect(await headerLinks(page)).toEqual(expect.arrayContaining(['/', '/plans', '/feedback', '/admin', '/profile']));
  });
});

test('what does not load, is used up or offline is said, and the work goes on', { tag: '@detail' }, async ({
  page,
  context,
}) => {
  let isBroken = true;
  await page.route('**/api/products', (route) =>
    isBroken ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await page.route('**/api/users/guest-usage', (route) =>
    route.fulfill({ json: { mockupsGenerated: 4, mockupsLimit: 4 } }),
  );
  await openStudio(page);

  await test.step('products that do not load can be loaded again', async () => {
    await expect(page.getByText('The products could not be loaded.').first()).toBeVisible();
    isBroken = false;
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await chooseProduct(page);
    await expect(page.getByText('The products could not be loaded.')).toHaveCount(0);
  });

  await test.step('a typeface that does not load within three seconds is replaced by the default one', async () => {
    const restore = await intercept(page, /\/fonts\/lobster/i, () => undefined); // never answered
    // Timed by the page's own clock, because the test learns of a request some time after it.
    await page.evaluate(() => {
      const originalFetch = window.fetch;
      window.fetch = (...request) => {
        if (/lobster/i.test(String(request[0]))) Object.assign(window, { requestedAt: performance.now() });
        return originalFetch(...request);
      };
    });
    const textOnStage = addText(page, 'Ann', 'Lobster');
    await expect(notices(page).filter({ hasText: 'Lobster did not load' })).toBeVisible();
    const waitedMs = await page.evaluate(
      () => performance.now() - (window as unknown as { requestedAt: number }).requestedAt,
    );
    expect(waitedMs).toBeGreaterThan(2900);
    await expect((await textOnStage).locator('path').first()).toBeAttached();
    restore();
  });

  await test.step('a name whose web font does not load within two seconds stands in the default sans', async () => {
    // The last name of the list: the ones around Lobster may have loaded while the list was open.
    const restore = await intercept(page, /\/fonts\/sirin/i, () => undefined); // never answered
    await page.evaluate(() => {
      const originalFetch = window.fetch;
      window.fetch = (...request) => {
        if (/sirin/i.test(String(request[0]))) Object.assign(window, { fontRequestedAt: performance.now() });
        return originalFetch(...request);
      };
    });
    await page.getByRole('combobox', { name: 'Font' }).click();
    const name = page.getByRole('option', { name: 'Sirin Stencil', exact: true }).locator('span[style]');
    await name.scrollIntoViewIfNeeded();
    await expect(name).toHaveCSS('opacity', '1');
    const waitedMs = await page.evaluate(
      () => performance.now() - (window as unknown as { fontRequestedAt: number }).fontRequestedAt,
    );
    expect(waitedMs).toBeGreaterThan(1900);
    expect(await name.evaluate((element) => element.style.fontFamily)).toBe('');
    await page.keyboard.press('Escape');
    restore();
  });

  await test.step('used up free mockups open the limit dialog; text stays free', async () => {
    await expect(page.getByText("You've used 4 of your free mockups.")).toBeVisible();
    await page.getByRole('tab', { name: 'Upload Image' }).click();
    await dropFile(page, await logo());
    const dialog = page.getByRole('dialog', { name: 'Free mockups used up' });
    await expect(dialog.getByText("You've used all 4 free mockups this month.")).toBeVisible();
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await addText(page, 'Still free');
    await expect(page.getByRole('button', { name: /Text Still free/ }).first()).toBeAttached();
  });

  await test.step('without a connection the studio says so and keeps the work', async () => {
    await context.setOffline(true);
    await expect(page.getByText(/You are offline/)).toBeVisible();
    await page.getByPlaceholder(/Type a name/).fill('Annabel');
    await page.getByRole('button', { name: /Export PNG Preview/ }).click();
    const failure = notices(page).filter({ hasText: 'Export failed' });
    await expect(failure).toContainText('You are offline.');
    await failure.hover(); // does not go by itself
    await context.setOffline(false);
    await expect(page.getByText(/You are offline/)).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('button', { name: /Text Annabel/ }).first()).toBeAttached();
  });
});

test('Live Preview follows the work, and an export that fails falls back', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto('/studio');
  await chooseProduct(page);

  await test.step('Live Preview is small or expanded, follows what changes, and hides while a file is made', async () => {
    await expect(preview(page)).toHaveCount(0);
    await addText(page, 'Ann');
    await expect(page.getByText('Design Ready!')).toBeVisible();
    await expect(page.getByText('Laser engraver, 20 oz Skinny Tumbler, Matte Black')).toBeVisible();
    const image = preview(page).getByRole('img', { name: 'Your product' });
    const outlines = () => image.locator('[data-element^="text:"] path').first().getAttribute('d');
    await expect(image.locator('[data-element^="text:"]')).toBeAttached();
    const first = await outlines();
    await page.getByPlaceholder(/Type a name/).fill('Annabel');
    await expect.poll(outlines).not.toBe(first);

    const windowPx = async () => (await image.locator('..').boundingBox())!.width;
    const { width: small } = await boxAtRest(image.locator('..'));
    expect((await boxAtRest(image)).width).toBeCloseTo(0.8 * small, 0);
    await page.getByRole('button', { name: 'Expand preview' }).click();
    await expect.poll(windowPx).toBeGreaterThan(2 * small);
    await page.getByRole('button', { name: 'Shrink preview' }).click();
    await expect.poll(windowPx).toBe(small);

    const release = await intercept(page, '**/api/exports/mockup', () => new Promise(() => {}));
    await page.getByRole('button', { name: 'Export PNG Preview' }).click();
    await expect(page.getByRole('button', { name: 'Cancel the export' })).toBeVisible();
    await expectNoFaults(page, 'an export that runs', '[aria-label=Export]');
    await page.getByRole('button', { name: 'Cancel the export' }).click();
    await expect(page.getByText('Export canceled').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export PNG Preview' })).toBeEnabled();
    release();

    let goOn = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/api/exports/mockup', async (route) => {
      await mayAnswer;
      await route.fulfill({ status: 503, json: { message: 'Not now.' } });
    });
    await page.getByRole('button', { name: 'Export PNG Preview' }).click();
    await expect(preview(page)).toHaveCount(0);
    goOn();
    await expect(preview(page)).toBeVisible();

    await page.getByRole('button', { name: 'Close preview' }).click();
    await page.getByPlaceholder(/Type a name/).fill('Anna');
    await expect(page.getByRole('button', { name: /^Text Anna\b/ }).first()).toBeVisible();
    await waitForDrawing(page);
    await expect(preview(page)).toHaveCount(0);
  });

  await test.step('a production file that cannot be made falls back to the plain SVG, which costs nothing', async () => {
    await page.route('**/api/designs/vectorize', (route) => route.fulfill({ status: 500, json: { message: 'No.' } }));
    const left = page.getByText(/Left this month/);
    const before = await left.textContent();
    const file = await save(page, 'Export for Production Processing');
    expect(file.bytes.toString('utf8')).toMatch(/^(<\?xml[^>]*>\s*)?<svg[^>]* width="400" height="400"/);
    await expect(page.getByText('SVG exported successfully!').first()).toBeVisible();
    expect(await left.textContent()).toBe(before);
    // What failed stands there, also while the work goes on, until it is dismissed.
    const card = page.getByRole('region', { name: 'Last export' });
    await page.getByPlaceholder(/Type a name/).fill('Anne');
    await expect(card).toContainText('Production upgrade failed');
    await card.getByRole('button', { name: 'Dismiss the last export' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Export for Production Processing' })).toBeFocused();
  });
});

test('a text and the machine area are placed with keys and numbers', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);

  await test.step('a text is placed with keys alone', async () => {
    // To a blank: search, Tab to the card, Enter.
    await page.getByRole('searchbox', { name: 'Search products' }).focus();
    await page.keyboard.type(TUMBLER);
    await tabTo(page, page.locator('[data-step="2"]').getByRole('button', { name: TUMBLER }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('tab', { name: 'Upload Image' }));
    await page.keyboard.press('ArrowRight');
    await tabTo(page, page.getByPlaceholder(/Type a name/));
    await page.keyboard.type('Ann');
    await expect(textElement(page).locator('path').first()).toBeAttached();

    await tabTo(page, stage(page));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    const area = await readMachineArea(page);
    const numbers = await readNumbers(page, /Ann/);
    // The numbers are those of the ink, whose middle is not that of the line.
    await stage(page).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowLeft');
    const start = await readNumbers(page, /Ann/);
    expect(Math.abs(numbers.x - start.x - 0.05 * area.width)).toBeLessThan(0.11);
    expect(Math.abs(numbers.y - start.y - 0.01 * area.height)).toBeLessThan(0.11);
    expect(Math.max(Math.abs(start.x), Math.abs(start.y))).toBeLessThan(1);

    await stage(page).focus();
    await page.keyboard.press('Delete');
    await expect(textElement(page)).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(textElement(page)).toHaveCount(1);
  });

  await test.step('the machine area is set in numbers and moved with keys, and elements keep their size', async () => {
    const whole = await readMachineArea(page);
    const before = await readNumbers(page, /Ann/);

    await openStep(page, 'Position & Preview');
    await page.getByRole('button', { name: /^Change the machine area/ }).click();
    const field = (name: RegExp) => page.getByRole('spinbutton', { name });
    await field(/Machine area height/).fill('80');
    await page.keyboard.press('Enter');
    await expect.poll(() => readMachineArea(page)).toEqual({ width: whole.width, height: 80 });
    await stage(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect(field(/Vertical offset/)).toHaveValue('0.8');

    const after = await readNumbers(page, /Ann/);
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    expect(after.y).toBeCloseTo(before.y - 0.8, 1);
    await page.getByRole('button', { name: /^Change the machine area/ }).click();
    await page.getByRole('button', { name: 'Reset to print area' }).click();
    await expect.poll(() => readMachineArea(page)).toEqual(whole);
  });
});
