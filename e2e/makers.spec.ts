/** Local makers: one lists a page, a visitor finds it by town and by position and writes, an administrator hides it. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { newAddress, openAsAdmin, openAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { expect, test } from './test.ts';

const REYKJAVIK = { latitude: 64.1355, longitude: -21.8954 };
const NAME = 'Norðurljós Workshop';

const photo = (color: string) =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: /Notifications/ }).getByText(text);
const results = (page: Page) => page.getByRole('list', { name: 'Makers', exact: true }).locator('> li');

async function chooseTown(page: Page, text: string, name: RegExp): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Town' });
  await field.fill(text);
  await expect(page.getByRole('option').first()).toHaveText(name);
  await field.press('Enter');
}

test('a maker is found near a place, written to, and hidden', { tag: '@detail' }, async ({ browser }) => {
  const email = newAddress();
  const maker = await openAsNew(browser, email);
  const card = maker.getByRole('region', { name: 'Local maker' });

  await test.step('the maker writes a page and lists it', async () => {
    await maker.goto('/profile#local-maker');
    const listing = card.getByRole('switch', { name: 'Show my page to people near me' });
    await expect(card).toContainText('It needs a name, a town and a machine first.');
    await expect(listing).toBeDisabled();
    await card.getByLabel('Public name').fill(NAME);
    await chooseTown(maker, 'reykjav', /^Reykjavík/);
    await expect(card.getByRole('combobox', { name: 'Town' })).toHaveValue(/^Reykjavík, .*Iceland$/);
    await card.getByLabel('About').fill('Driftwood and lava stone.');
    await card.getByLabel('Laser').check();
    await card.getByRole('button', { name: 'Slate' }).click();
    await card.getByLabel('Another material').fill('Lava stone');
    await card.getByLabel('Another material').press('Enter');
    await expect(card.getByText('Unsaved changes')).toBeVisible();
    await card.getByLabel('Photos of your work').setInputFiles(
      await Promise.all(
        ['#7a4a2c', '#2c4a7a'].map(async (color, index) => ({
          name: `photo-${index}.jpg`,
          mimeType: 'image/jpeg',
          buffer: await photo(color),
        })),
      ),
    );
    await expect(card.getByAltText('Photo 2')).toBeVisible();
    await expectNoFaults(maker, 'the form of a maker’s page');
    await listing.click();
    await expect(listing).toBeChecked();
    await expect(notice(maker, 'Your page is listed')).toBeVisible();
    await expect(card.getByText('Unsaved changes')).toBeHidden();
  });

  const visitor = await (await browser.newContext({ geolocation: REYKJAVIK, permissions: ['geolocation'] })).newPage();
  await test.step('nobody is near Ushuaia, and the nearest beyond is shown', async () => {
    await visitor.goto('/makers');
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoFaults(visitor, 'the makers');
    await chooseTown(visitor, 'ushuaia', /^Ushuaia/);
    await expect(visitor.getByRole('heading', { name: /^Nobody within (60 mi|100 km) of Ushuaia yet$/ })).toBeVisible();
    await expect(results(visitor).filter({ hasText: NAME })).toBeVisible();
    await visitor.getByRole('radio', { name: 'Sublimation' }).check();
    await expect(visitor.getByRole('heading', { name: 'Be the first one' })).toBeVisible();
    await expectNoFaults(visitor, 'no maker');
  });

  await test.step('by position', async () => {
    await visitor.goto('/makers');
    await visitor.getByRole('button', { name: 'Use my position' }).click();
    await expect(visitor.getByRole('heading', { name: /^1 maker within .* of you$/ })).toBeVisible();
    await expect(visitor).toHaveURL(/near=me/);
    expect(visitor.url()).not.toMatch(/64\.|21\./);
  });

  await test.step('by town; and written to', async () => {
    await visitor.goto('/makers');
    // Quicker than the list: it is the first of what was typed last.
    const town = visitor.getByRole('combobox', { name: 'Town' });
    await town.fill('re');
    await expect(visitor.getByRole('option').first()).toBeVisible();
    await town.fill('reykjavik');
    await town.press('Enter');
    await expect(town).toHaveValue(/^Reykjavík/);
    await expect(results(visitor)).toHaveCount(1);
    await expect(results(visitor)).toContainText('Slate, Lava stone');
    await expectNoFaults(visitor, 'makers near a town');
    await visitor.getByRole('link', { name: NAME }).click();
    await expect(visitor.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
    await visitor.getByRole('button', { name: 'Show photo 2' }).click();
    await expect(visitor.getByAltText(`Photo 2 of 2 by ${NAME}`)).toBeVisible();
    const send = visitor.getByRole('button', { name: 'Send message' });
    await send.click();
    await expect(visitor.getByLabel('Your name')).toBeFocused();
    await expectNoFaults(visitor, 'the page of a maker with what is missing');
    await visitor.getByLabel('Your name').fill('Ann');
    await visitor.getByLabel('Your email').fill('ann@example.com');
    await visitor.getByLabel('Message').fill('Twelve coasters by May?');
    // The server refuses a form that is sent within 3 seconds of its opening as a program's, so the test retries.
    const confirmation = visitor.getByText('Your message is on its way').first();
    await expect(async () => {
      if (!(await confirmation.isVisible())) await send.click({ timeout: 5_000 });
      await expect(confirmation).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(visitor.getByRole('heading', { name: 'Your message is on its way' })).toBeFocused();
    expect(await visitor.content()).not.toContain(email);
  });

  const admin = await openAsAdmin(browser);
  await test.step('the mail is in the outbox; the administrator hides the page', async () => {
    await admin.goto('/admin?room=outbox');
    await expect(admin.getByText(`Ann wrote to ${NAME}`).first()).toBeVisible();
    await admin.getByRole('tab', { name: 'Makers' }).click();
    await admin.getByRole('button', { name: `Hide ${NAME}` }).click();
    await admin.getByLabel('Reason').fill('Not its own photos');
    await expectNoFaults(admin, 'hiding a maker');
    await admin.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(notice(admin, `${NAME} is hidden`)).toBeVisible();
    await visitor.reload();
    await expect(visitor.getByRole('heading', { name: 'This maker is not listed here' })).toBeVisible();
    await visitor.goto('/makers');
    await chooseTown(visitor, 'reykjavik', /^Reykjavík/);
    await expect(visitor.getByRole('heading', { name: /^Nobody within/ })).toBeVisible();
    await expect(visitor.getByText(NAME)).toHaveCount(0);
    await maker.reload();
    await expect(card.getByRole('alert')).toContainText('We have hidden this page: Not its own photos');
  });
  for (const page of [maker, visitor, admin]) await page.context().close();
});
