/** A gang sheet of true shapes: shown before it is made, and made as it was shown. */
import { signInAsNew, takePlan } from './accounts.ts';
import { expectNoFaults, NARROW, WIDE } from './axe.ts';
import { addText, chooseProduct, openManyNames, openStudio, saveBy } from './studio.ts';
import { expect, test } from './test.ts';
import { unzip } from './zip.ts';

const NAMES = ['Wilhelmina', 'Katherine', 'Margaret', 'Alexandra', 'Dorothea', 'Friederike', 'Josephine', 'Ada'];

test('slanted names lie in each other’s bays, on less film than by their boxes', { tag: '@detail' }, async ({
  page,
}) => {
  const account = await signInAsNew(page);
  await takePlan(page.request, account, 'studio');
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Wilhelmina');
  const angle = page.getByRole('spinbutton', { name: 'Rotation in degrees' });
  await angle.fill('35');
  await angle.press('Enter');
  const dialog = await openManyNames(page);
  const box = dialog.getByRole('textbox', { name: 'Paste the names' });
  await box.evaluate((element, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, NAMES.join('\n'));
  await dialog.getByRole('radio', { name: 'Gang sheet' }).check();
  const editor = dialog.getByRole('region', { name: 'Gang sheet' });
  const width = editor.getByRole('spinbutton', { name: 'Width of the sheet' });
  await width.fill('6');
  await width.press('Enter');
  await expect(editor.getByRole('radio', { name: 'Shapes' })).toBeChecked();
  const sentence = editor.getByText(/^Shapes: [\d.]+ in instead of [\d.]+ in\.$/);
  await expect(sentence).toBeVisible();
  const [after, before] = (await sentence.innerText()).match(/[\d.]+(?= in)/g)!.map(Number);
  expect(after).toBeLessThan(before!);
  await expect(editor.locator('polygon')).toHaveCount(NAMES.length);
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await expectNoFaults(page, `gang sheet by shapes, ${size.width} wide`, 'dialog[open]');
  }
  await page.setViewportSize(WIDE);

  await test.step('boxes are a choice, by key', async () => {
    await editor.getByRole('radio', { name: 'Shapes' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(editor.getByRole('radio', { name: 'Boxes' })).toBeChecked();
    await expect(sentence).toHaveCount(0);
    await expect(editor.getByText(`${before} in`, { exact: true })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(sentence).toBeVisible();
  });

  await test.step('the sheet is as long as it was shown', async () => {
    await expect(dialog.getByText('8 pieces on 1 sheet, 1 production export')).toBeVisible();
    await dialog.getByRole('button', { name: 'Make 1 sheet' }).click();
    const link = dialog.getByRole('link', { name: 'Download' });
    await expect(link).toBeVisible();
    const files = unzip((await saveBy(page, () => link.click())).bytes);
    const heightMm = Number(/<svg[^>]* height="([\d.]+)mm"/.exec(files.get('sheet_01.svg')!.toString('utf8'))![1]);
    expect(Math.abs(heightMm / 25.4 - after!)).toBeLessThan(0.051);
  });
});
