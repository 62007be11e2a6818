/** The second factor: turning it on, signing in with a code and with a recovery code, turning it off. */
import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { newAddress, PASSWORD, signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { test } from './test.ts';

const NEXT = 'maple coaster';

/** Returns a code of a time step that is newer than the one used last: the server takes the next one, too. */
const codeOf = (key: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
}

test('a second factor is turned on, asked for at the next sign-in, and turned off', { tag: '@detail' }, async ({
  page,
  browser,
}) => {
  const email = newAddress('careful');
  await signInAsNew(page, email);
  await page.goto('/profile/security');
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('button', { name: 'Turn it on' }).click();
  await section.getByLabel('Your password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Go on' }).click();
  await expect(section.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectNoFaults(page);
  const key = await section.getByRole('region', { name: 'Key' }).innerText();
  await section.getByLabel('Code that the app shows').fill('000000');
  await section.getByRole('button', { name: 'Turn it on' }).click();
  await expect(section.getByText('This code is not right, or it was used already.')).toBeVisible();
  await section.getByLabel('Code that the app shows').fill(codeOf(key));
  await section.getByRole('button', { name: 'Turn it on' }).click();
  const codes = (await section.getByRole('region', { name: 'Recovery codes' }).innerText()).trim().split('\n');
  expect(codes).toHaveLength(10);
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page
    .getByRole('dialog', { name: 'Leave without the recovery codes?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  await section.getByRole('button', { name: 'I saved them' }).click();
  await expect(section.getByText('10 recovery codes are left.')).toBeVisible();

  // Another browser needs a code after the password. A code works once.
  const other = await (await browser.newContext()).newPage();
  await logIn(other, email);
  await expectNoFaults(other);
  await expect(other.getByLabel('Code')).toBeFocused();
  await other.getByLabel('Code').fill('123456');
  await other.getByLabel('Code').press('Enter');
  await expect(other.getByText('This code is not right, or it was used already.').first()).toBeVisible();
  await other.getByLabel('Code').fill(codeOf(key, 1));
  await other.getByLabel('Code').press('Enter');
  await expect(other).toHaveURL('/');

  // A recovery code stands in for the app.
  const third = await (await browser.newContext()).newPage();
  await logIn(third, email);
  await third.getByLabel('Code').fill(codes[0]!);
  await third.getByLabel('Code').press('Enter');
  await expect(third).toHaveURL('/');
  await third.goto('/profile/security');
  const own = third.getByRole('region', { name: 'Second factor' });
  await expect(own.getByText('9 recovery codes are left.')).toBeVisible();

  // A new password and the deletion ask for a code, too.
  const form = third.getByRole('region', { name: 'Password', exact: true });
  const codeLabel = 'Code of the app, or a recovery code';
  await form.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await form.getByLabel('New password', { exact: true }).fill(NEXT);
  await form.getByLabel('New password again', { exact: true }).fill(NEXT);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(
    form.getByText('This account has a second factor. Enter a code of the app, or a recovery code.'),
  ).toBeVisible();
  await form.getByLabel(codeLabel).fill(codes[2]!);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(third.getByText('Password Updated', { exact: true })).toBeVisible();
  await expect(own.getByText('8 recovery codes are left.')).toBeVisible();
  await third.getByRole('link', { name: 'Account' }).click();
  await third.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = third.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Your password').fill(NEXT);
  await dialog.getByLabel(codeLabel).fill('123456');
  await expectNoFaults(third, 'the deletion with a code', 'dialog[open]');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(dialog.getByText('This code is not right, or it was used already.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep it' }).click();

  await third.getByRole('link', { name: 'Security' }).click();
  await own.getByRole('button', { name: 'Turn it off' }).click();
  await own.getByLabel('Your password').fill(NEXT);
  await own.getByLabel(codeLabel).fill(codes[1]!);
  await own.getByRole('button', { name: 'Turn it off' }).click();
  await expect(own.getByRole('button', { name: 'Turn it on' })).toBeVisible();
  for (const one of [other, third]) await one.context().close();
});
