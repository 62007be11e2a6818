/** The list of elements: names, z-order, groups, lock and visibility, by keyboard; by touch in arrange.spec.ts. */
import type { Page } from '@playwright/test';
import { expectNoFaults } from './axe.ts';
import { logoPng } from './pictures.ts';
import {
  addText,
  boxAtRest,
  chooseProduct,
  dragBy,
  dropFile,
  element,
  middleOf,
  openStep,
  openStudio,
  stage,
  startOver,
  storedWith,
  textElement,
  waitForDrawing,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const list = (page: Page) => page.getByRole('list', { name: 'Elements on the product' });
const row = (page: Page, name: RegExp) => list(page).getByRole('button', { name });
const rows = (page: Page) => list(page).locator('[data-row]');

async function openWithTwoTexts(page: Page): Promise<void> {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Ann');
  await page.getByRole('button', { name: 'Add text' }).click();
  await page.getByPlaceholder(/Type a name/).fill('Bob\n2026');
  await expect(textElement(page)).toHaveCount(2);
}

test('elements are named, ordered, hidden, locked and grouped in the list', { tag: '@detail' }, async ({ page }) => {
  await openWithTwoTexts(page);

  await test.step('the list is used with keys alone', async () => {
    await expect(rows(page)).toHaveText([/Bob 2026/, /Ann/, /Machine area/]);

    await row(page, /Ann/).focus();
    await page.keyboard.press('F2');
    await expect(list(page).getByRole('textbox')).toBeFocused();
    await page.keyboard.type('Bride');
    await page.keyboard.press('Enter');
    await expect(row(page, /Text Bride/)).toBeFocused();

    await page.keyboard.press('Control+]');
    await expect(rows(page)).toHaveText([/Bride/, /Bob 2026/, /Machine area/]);
    await expect(row(page, /Bride/)).toBeFocused();

    await page.keyboard.press('l');
    await expect(row(page, /Bride.*, locked$/)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(rows(page)).toHaveCount(3);
    await stage(page).focus();
    const before = await row(page, /Bride/).getAttribute('aria-label');
    await page.keyboard.press('ArrowRight');
    await expect(row(page, /Bride/)).toHaveAttribute('aria-label', before!);
    await expect(page.getByText('Locked. Unlock it in the list')).toBeVisible();

    await row(page, /Bride/).focus();
    await page.keyboard.press('h');
    await expect(textElement(page)).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await expect(row(page, /Bob 2026/)).toBeFocused();
    await page.keyboard.press('Control+d');
    await expect(rows(page)).toHaveText([/Bride/, /Bob 2026/, /Bob 2026/, /Machine area/]);
    // The focus goes to the copy a frame later.
    await waitForDrawing(page);
    await page.keyboard.press('Delete');
    await expect(rows(page)).toHaveCount(3);

    for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z');
    await expect(rows(page)).toHaveText([/Bob 2026/, /Ann/, /Machine area/]);
    await expect(textElement(page)).toHaveCount(2);
    await expectNoFaults(page, 'texts in the inspector', '[aria-label="Inspector"]');
  });

  await test.step('a locked text can be selected on the stage and not dragged', async () => {
    await row(page, /Ann/).focus();
    await page.keyboard.press('l');
    await expect(row(page, /Ann.*, locked$/)).toBeVisible();
    const where = await row(page, /Ann/).getAttribute('aria-label');
    const box = await boxAtRest(textElement(page).first());
    // Nothing is chosen: no grip of another element is in the way.
    await stage(page).focus();
    await page.keyboard.press('Escape');
    await expect(row(page, /Ann/)).toHaveAttribute('aria-pressed', 'false');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect(row(page, /Ann/)).toHaveAttribute('aria-pressed', 'true');
    await expect(row(page, /Ann/)).toHaveAttribute('aria-label', where!);
  });

  await test.step('a group has a heading, and its members are reached on the stage and in the list', async () => {
    await startOver(page);
    await chooseProduct(page);
    await page.getByRole('tab', { name: 'Upload Image' }).click();
    await dropFile(page, { name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() });
    await waitForTrace(page);
    await addText(page, 'Ann');
    await stage(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+g');
    const head = row(page, /^Group/);
    const picture = element(page, 'design');
    await expect(head).toHaveAccessibleName('Group, 2 elements');
    await expect(rows(page)).toHaveText([/Group/, /Ann/, /badge/, /Machine area/]);
    await expect(head).toHaveAttribute('aria-pressed', 'true');

    await test.step('a double click reaches the picture in it, and Escape or a click elsewhere leads back', async () => {
      const at = await middleOf(picture);
      await page.mouse.dblclick(at.x, at.y);
      await expect(row(page, /badge/)).toHaveAttribute('aria-pressed', 'true');
      await expect(head).toHaveAttribute('aria-pressed', 'false');
      const textBox = await boxAtRest(textElement(page));
      await dragBy(page, picture, 0, -30);
      expect(await boxAtRest(textElement(page))).toEqual(textBox);
      await expect.poll(async () => (await middleOf(picture)).y - at.y).toBeCloseTo(-30, 0);
      await stage(page).focus();
      await page.keyboard.press('Escape');
      await expect(head).toHaveAttribute('aria-pressed', 'true');
      // The group moves as one.
      await dragBy(page, picture, 0, 20);
      await expect.poll(async () => (await boxAtRest(textElement(page))).y - textBox.y).toBeCloseTo(20, 0);

      const inside = await middleOf(picture);
      await page.mouse.dblclick(inside.x, inside.y);
      await expect(head).toHaveAttribute('aria-pressed', 'false');
      // The lid of the tumbler, where nothing lies.
      const room = await boxAtRest(stage(page));
      await page.mouse.click(room.x + room.width / 2 + 200, room.y + 60);
      await expect(head).toHaveAttribute('aria-pressed', 'true');
      await stage(page).focus();
      await page.keyboard.press('Escape');
      await expect(head).toHaveAttribute('aria-pressed', 'false');
    });

    await test.step('the heading is named, folded, locked and hidden by keys', async () => {
      await head.focus();
      await page.keyboard.press('F2');
      await expect(page.getByRole('textbox', { name: 'Name of the group' })).toBeFocused();
      await page.keyboard.type('Crest');
      await page.keyboard.press('Enter');
      await expect(head).toHaveAccessibleName('Group Crest, 2 elements');
      await expect(head).toBeFocused();
      await expectNoFaults(page, 'a group in the inspector', '[aria-label="Inspector"]');
      await page.keyboard.press('ArrowLeft');
      await expect(rows(page)).toHaveText([/Crest/, /Machine area/]);
      await page.keyboard.press('ArrowRight');
      await expect(rows(page)).toHaveText([/Crest/, /Ann/, /badge/, /Machine area/]);
      await page.keyboard.press('l');
      await expect(row(page, /Ann.*in Crest, locked$/)).toBeVisible();
      await expect(row(page, /badge.*in Crest, locked$/)).toBeVisible();
      await page.keyboard.press('l');
      await page.keyboard.press('h');
      await expect(picture).toHaveCount(0);
      await expect(textElement(page)).toHaveCount(0);
      await page.keyboard.press('h');
      await expect(picture).toHaveCount(1);
    });

    await test.step('members change places within the group, and the group with what is outside', async () => {
      await page.getByRole('button', { name: 'Add text' }).click();
      await page.getByPlaceholder(/Type a name/).fill('Bob');
      await expect(rows(page)).toHaveText([/Bob/, /Crest/, /Ann/, /badge/, /Machine area/]);
      const drag = async (from: RegExp, to: RegExp, past: number) => {
        const [start, end] = [await middleOf(row(page, from)), await middleOf(row(page, to))];
        await page.mouse.move(start.x, start.y);
        await page.mouse.down();
        await page.mouse.move(start.x, end.y, { steps: 3 });
        await page.mouse.move(start.x, end.y + past, { steps: 2 });
        await expect(list(page).locator('[data-drop-line]')).toHaveCount(1);
        await page.mouse.up();
      };
      // A member stays in its group, however far it is dragged.
      await drag(/^Design badge/, /^Text Bob/, -8);
      await expect(rows(page)).toHaveText([/Bob/, /Crest/, /badge/, /Ann/, /Machine area/]);
      await drag(/^Group Crest/, /^Text Bob/, -8);
      await expect(rows(page)).toHaveText([/Crest/, /badge/, /Ann/, /Bob/, /Machine area/]);
      await head.focus();
      await page.keyboard.press('Control+[');
      await expect(rows(page)).toHaveText([/Bob/, /Crest/, /badge/, /Ann/, /Machine area/]);
      await expect(head).toBeFocused();
    });
  });
});

test('a text can be cut: its outline is red on the stage, and undo takes it back', { tag: '@detail' }, async ({
  page,
}) => {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Anna');
  await openStep(page, 'Position & Preview');
  await page.getByRole('tab', { name: 'Text Position' }).click();
  const operation = page.getByRole('combobox', { name: 'Operation' });
  await operation.click();
  await page.getByRole('option', { name: 'Cut' }).click();
  const outline = textElement(page).locator('path').first();
  await expect(outline).toHaveAttribute('stroke', '#FF0000');
  await expect(outline).toHaveAttribute('fill', 'none');
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(outline).not.toHaveAttribute('stroke', '#FF0000');
  await expect(operation).toHaveText(/As drawn/);
});

test('the colors of a drawing are burnt as tones in an order that is dragged or moved by keys', {
  tag: '@detail',
}, async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  const [navy, red, yellow] = ['#1f3a8a', '#c81e1e', '#f2d024'];
  const square = (x: number, fill: string) => `<path fill="${fill}" d="M${x} 0h28v40h-28z"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 40">${square(0, navy)}${square(30, red)}${square(60, yellow)}</svg>`;
  await dropFile(page, { name: 'flag.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  await waitForTrace(page);
  await storedWith(
    page,
    ({ colorMode }) => colorMode === 'color',
    async () => {
      await page.getByRole('combobox', { name: 'Color mode' }).click();
      await page.getByRole('option', { name: 'Color', exact: true }).click();
    },
  );
  await openStep(page, 'Position & Preview');
  await page.getByRole('combobox', { name: 'Tones' }).click();
  await page.getByRole('option', { name: 'Layer for each color' }).click();
  const tones = page.getByRole('list', { name: 'Tones, the most burnt first' });
  const tone = tones.getByRole('listitem');
  // Powder coat marks light: what is light is burnt most.
  await expect(tone).toHaveText([/#F2D024.*C00/, /#C81E1E.*C16/, /#1F3A8A.*C08/]);
  const shadeOf = (index: number) => element(page, 'design').locator('path').nth(index);
  await expect(shadeOf(0)).toHaveAttribute('fill-opacity', /^0\.3/);

  await page.getByRole('button', { name: 'Burn #1F3A8A more' }).press('Enter');
  await expect(tone).toHaveText([/#F2D024/, /#1F3A8A/, /#C81E1E/]);
  await expect(shadeOf(1)).toHaveAttribute('fill-opacity', /^0\.3/);

  const [grip, first] = [await middleOf(tone.nth(2).locator('span').first()), await boxAtRest(tone.nth(0))];
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x, first.y + 2, { steps: 4 });
  await page.mouse.up();
  await expect(tone).toHaveText([/#C81E1E/, /#F2D024/, /#1F3A8A/]);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(tone).toHaveText([/#F2D024/, /#1F3A8A/, /#C81E1E/]);
  await page.getByRole('button', { name: 'Reverse the order of tones' }).click();
  await expect(tone).toHaveText([/#C81E1E/, /#1F3A8A/, /#F2D024/]);
  await expectNoFaults(page);
});
