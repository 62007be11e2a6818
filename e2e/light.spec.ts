/** A picture that a phone took: light and shadow are taken out, can be looked at, and are kept on request. */
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { photographOfLogo } from './pictures.ts';
import { chooseProduct, dropFile, openSettings, openStudio, settingGroup, storedWith, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';

test('light and shadow of a phone’s picture are taken out, compared, and kept on request', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await photographOfLogo(600) });
  await waitForTrace(page);
  const note = page.getByRole('note').filter({ hasText: 'Light is taken out.' });
  await expect(note).toBeVisible();
  await expectNoFaults(page, 'the note about light', '[role=note]');

  await test.step('both pictures are compared, by keys too', async () => {
    await note.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog', { name: 'Light and shadow taken out' });
    await expect(dialog.getByRole('img', { name: 'As it was taken' })).toBeVisible();
    await expect(dialog.getByRole('img', { name: 'Without light and shadow' })).toBeVisible();
    const line = dialog.getByRole('slider', { name: 'Before and after' });
    await line.press('End');
    await expect(line).toHaveAttribute('aria-valuenow', '100');
    await expectNoFaults(page, 'the comparison of light', 'dialog');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('light that is kept is stored so, and can be taken out again', async () => {
    await storedWith(
      page,
      ({ light }) => light === 'kept',
      () => note.getByRole('button', { name: 'Keep' }).click(),
    );
    await expect(note).toBeHidden();
    await openSettings(page);
    const choices = page.getByRole('radiogroup', { name: 'Light and shadow' });
    await expect(choices.getByRole('radio', { name: 'Kept' })).toBeChecked();
    await storedWith(
      page,
      ({ light }) => light === 'out',
      () => choices.getByText('Taken out').click(),
    );
    // The unfolded settings stand in its place.
    await settingGroup(page, 'Picture').click();
    await expect(note).toBeVisible();
  });
});
