/** Every page and every state of the studio under axe: wide and narrow, each in light and dark. */
import type { Page } from '@playwright/test';
import { signInAsNew } from './accounts.ts';
import { expectNoFaults, expectNoFaultsAtBothSizes, NARROW, WIDE } from './axe.ts';
import { logoPng, speckledPng } from './pictures.ts';
import { addText, chooseMachine, chooseProduct, dropFile, element, stage, waitForTrace } from './studio.ts';
import { expect, intercept, test } from './test.ts';

/** The tutorial's card, and the modal dialogs. */
const DIALOG = '[role=dialog], dialog[open]';

const pages = [
  '/',
  '/auth',
  '/plans',
  '/subscribe?plan=pro',
  '/subscription-success',
  '/test-checkout',
  '/feedback',
  '/password-reset',
  '/password-reset?token=abc',
  '/verify-email?token=abc',
  '/invitation#token=abc',
  '/profile',
  '/profile/shop',
  '/admin',
  '/admin-panel',
  '/no-such-page',
] as const;

test('nothing on any page', async ({ page }) => {
  await page.goto(pages[0]);
  for (const path of pages) {
    if (path !== pages[0]) await followTo(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
    await expectNoFaultsAtBothSizes(page, path);
  }
  await followTo(page, '/feedback');
  await page.getByRole('button', { name: /send/i }).click();
  await expect(notice(page)).toBeVisible();
  await expectNoFaultsAtBothSizes(page, 'a form that was refused, and its notice');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expectNoFaultsAtBothSizes(page, 'the menu');
});

for (const [screen, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
  test.describe(screen, { tag: '@detail' }, () => {
    test.use({ viewport });

    test('nothing in the studio of a visitor', async ({ page }) => {
      const unfold = async (title: RegExp) => {
        const head = page.getByRole('button', { name: title });
        await expect(async () => {
          if ((await head.getAttribute('aria-expanded')) === 'false') await head.click({ timeout: 2_000 });
          await expect(head).toHaveAttribute('aria-expanded', 'true', { timeout: 2_000 });
        }).toPass();
      };
      const restore = await intercept(page, '**/api/products', (route) => route.fulfill({ status: 503, body: '' }));
      await page.goto('/studio');
      await unfold(/Select Product/);
      await expect(page.getByText('The products could not be loaded.').first()).toBeVisible();
      await expect(page.getByRole('complementary', { name: 'Tutorial offer' })).toBeVisible();
      await expectNoFaults(page, 'products that did not come');
      restore();
      await page.getByRole('button', { name: 'Retry' }).first().click();
      await expect(page.getByRole('button', { name: /\d mm/ }).first()).toBeVisible();
      await expectNoFaults(page, 'empty');

      await chooseProduct(page);
      await expect(page.getByText('Drop a picture here')).toBeVisible();
      await expectNoFaults(page, 'a product chosen');
      await page.getByRole('button', { name: 'Help' }).click();
      const card = page.getByRole('dialog');
      for (let number = 1; number <= 7; number++) {
        await expect(card.getByText(`${number} of 7`)).toBeVisible();
        // The card is not modal: the page beside it stays as it was at the first step.
        await expectNoFaults(page, `tutorial, step ${number}`, number === 1 ? 'html' : DIALOG);
        if (number < 7) await card.getByRole('button', { name: 'Next' }).click();
      }
      await card.getByRole('button', { name: 'Finish' }).click();

      await unfold(/Add Your Design/);
      await dropFile(page, { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
      await expect(page.getByText('Upload Failed', { exact: true })).toBeVisible();
      await expectNoFaults(page, 'a refused picture and its notice');

      await addText(page, 'Ann');
      await expect(page.getByText('Design Ready!')).toBeVisible();
      await expectNoFaults(page, 'a text');
      await page.getByRole('combobox', { name: 'Font' }).click();
      await expect(page.getByRole('option').first()).toBeVisible();
      await expectNoFaults(page, 'the list of fonts', '[role=combobox], [role=listbox]');
      await page.keyboard.press('Escape');
      await unfold(/Position & Preview/);
      await page.getByRole('button', { name: /^Change the machine area/ }).click();
      await expectNoFaults(page, 'the machine area');

      for (const name of ['Export for Production Processing', 'Create an account for unlimited mockups']) {
        await page.getByRole('button', { name }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectNoFaults(page, `the question behind “${name}”`, name.startsWith('Export') ? 'html' : DIALOG);
        await page.keyboard.press('Escape');
      }
      await page.context().setOffline(true);
      await expect(page.getByText(/You are offline/)).toBeVisible();
      await expectNoFaults(page, 'offline');
      await page.context().setOffline(false);

      await page.route('**/api/users/guest-usage', (route) =>
        route.fulfill({ json: { mockupsGenerated: 4, mockupsLimit: 4 } }),
      );
      await page.reload();
      await expect(page.getByText("You've used 4 of your free mockups.")).toBeVisible();
      await unfold(/Add Your Design/);
      await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
      await expect(page.getByRole('dialog', { name: 'Free mockups used up' })).toBeVisible();
      await expectNoFaults(page, 'the usage limit');
    });

    test('nothing in the studio of somebody signed in, with a traced picture', async ({ page }) => {
      await signInAsNew(page);
      await page.goto('/studio');
      await chooseProduct(page);
      await dropFile(page, { name: 'specks.png', mimeType: 'image/png', buffer: await speckledPng() });
      await waitForTrace(page);
      await expect(element(page, 'design').locator('path').first()).toBeAttached();
      await expectNoFaults(page, 'a traced picture');
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      await expect(page.getByRole('dialog', { name: /^Crop/ })).toBeVisible();
      await expectNoFaults(page, 'the crop');
      await page.getByRole('radio', { name: 'Corners' }).click();
      await expect(page.getByRole('button', { name: /^Top left corner/ })).toBeVisible();
      await expectNoFaults(page, 'the corners', DIALOG);
      await page.keyboard.press('Escape');
      for (const look of ['Compare', 'Paths']) {
        const button = page.getByRole('button', { name: look }).last();
        await button.click();
        await expect(button).toHaveAttribute('aria-pressed', 'true');
        await expectNoFaults(page, look);
        await button.click();
      }
      await addText(page, 'Ann');
      await stage(page).focus();
      await page.keyboard.press('Control+a');
      await expectNoFaults(page, 'several chosen');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'My designs' }).click();
      await expect(page.getByRole('dialog', { name: 'My designs' }).getByRole('listitem').first()).toBeVisible();
      await expectNoFaults(page, 'My designs', DIALOG);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Preflight: / }).click();
      await expect(page.getByRole('region', { name: 'Preflight' })).toBeVisible();
      await expect(stage(page).locator('[data-finding]').first()).toBeAttached();
      await expectNoFaults(page, 'what preflight found');
      await chooseMachine(page, /UV printer/i);
      // The design is traced again, in colors for the printer and no longer as bare steel.
      await expect(element(page, 'design').locator('path').first()).toHaveAttribute('fill', /^#/);
      await expectNoFaults(page, 'violet');
      await page.getByRole('button', { name: 'Export for Production Processing' }).click();
      await expect(page.getByRole('dialog', { name: 'Vector Export Limit Reached' })).toBeVisible();
      await expectNoFaults(page, 'no exports left', DIALOG);
    });
  });
}

/**
 * Opens a page of the app as its links do, without starting the app again. Resolves when the router shows it: the page
 * before it has a heading too, and is shown until then.
 */
async function followTo(page: Page, path: string): Promise<void> {
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-path', /./);
  await page.evaluate((address) => history.pushState(null, '', address), path);
  await expect(html).toHaveAttribute('data-path', path.replace(/[?#].*/, ''));
}

const notice = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
