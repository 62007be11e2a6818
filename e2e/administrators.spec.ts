/** Administrators: an owner invites somebody, who accepts, sees the rooms of the role, and is removed again. */
import { newAddress, openAsAdmin, PASSWORD } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { expect, test } from './test.ts';

test('an invitation by mail gives a role, which an owner changes and takes away', { tag: '@detail' }, async ({
  page,
  browser,
}) => {
  const email = newAddress('helper');
  const owner = await openAsAdmin(browser);
  await owner.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await owner.goto('/admin?room=administrators');
  await owner.getByLabel('Email').fill(email);
  await owner.getByRole('button', { name: 'Invite' }).click();
  await expect(owner.getByRole('list', { name: 'Open invitations' }).getByText(email)).toBeVisible();
  await expectNoFaults(owner, 'the administrators');

  await owner.getByRole('tab', { name: 'Outbox' }).click();
  await owner.getByLabel('Find by address').fill(email);
  await owner.getByRole('button', { name: /You are invited/ }).click();
  await owner.getByRole('button', { name: 'Copy link' }).click();
  await expect(owner.getByRole('button', { name: 'Copied!' })).toBeVisible();
  const link = await owner.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/invitation#token=[\w-]{43}$/);

  // A new account with this address accepts it. The token leaves the address at once.
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You are invited' })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  await expectNoFaults(page, 'the invitation');
  await page.getByRole('link', { name: 'Create an account with this address' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Portal' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['Users & plans', 'Makers', 'Feedback', 'Waitlist', 'Security']);

  // The link works once.
  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
  await other.close();

  await owner.getByRole('tab', { name: 'Administrators' }).click();
  await owner.getByRole('combobox', { name: `Role of ${email}` }).click();
  await owner.getByRole('option', { name: 'Catalogue' }).click();
  await expect(owner.getByText(`${email}: Catalogue`).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab')).toHaveText(['Catalogue']);

  await owner.getByRole('button', { name: `Remove ${email}` }).click();
  await owner.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(owner.getByRole('list', { name: 'Administrators' }).getByRole('listitem')).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Access Denied/ })).toBeVisible();
  await owner.context().close();
});
