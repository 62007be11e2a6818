/** Arranging elements: snapping, multiple selection, alignment, equal gaps, z-order by dragging, editing in place. */
import type { Locator, Page } from '@playwright/test';
import { expectNoFaults } from './axe.ts';
import { addText, boxAtRest, chooseProduct, middleOf, openStudio, readNumbers, stage } from './studio.ts';
import { expect, test } from './test.ts';
import { moveFingers } from './touch.ts';

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const list = (page: Page) => page.getByRole('list', { name: 'Elements on the product' });
const rows = (page: Page) => list(page).locator('[data-row]');
const row = (page: Page, name: RegExp) => list(page).getByRole('button', { name });
const guides = (page: Page) => stage(page).locator('[data-guides]');
/** In the order they were written. */
const texts = (page: Page) => stage(page).locator('[data-element^="text:"]');

async function openWithTexts(page: Page, words: readonly string[]): Promise<void> {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, words[0]!);
  for (const word of words.slice(1)) await addAnother(page, word);
}

async function addAnother(page: Page, word: string): Promise<void> {
  const count = await texts(page).count();
  await page.getByRole('button', { name: 'Add text' }).click();
  await page.getByPlaceholder(/Type a name/).fill(word);
  await expect(texts(page)).toHaveCount(count + 1);
}

/** Puts the middle of a text `x` mm and `y` mm from the middle of the area. */
async function put(page: Page, name: RegExp, x: number, y: number): Promise<void> {
  await row(page, name).click();
  await expect(row(page, name)).toHaveAttribute('aria-pressed', 'true');
  for (const [label, value] of [
    [/Horizontal position/, x],
    [/Vertical position/, y],
  ] as const) {
    const field = inspector(page).getByRole('spinbutton', { name: label });
    await field.fill(String(value));
    await field.press('Enter');
    await expect.poll(async () => Number(await field.inputValue())).toBe(value);
  }
}

/** Presses on a text and moves the mouse by this much, without letting go. */
async function pullBy(page: Page, target: Locator, dx: number, dy: number): Promise<void> {
  const { x, y } = await middleOf(target);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 3 });
  await page.mouse.move(x + dx, y + dy, { steps: 3 });
}

test('texts snap to lines and gaps, are dragged in the list, selected together, aligned and edited in place', {
  tag: '@detail',
}, async ({ page }) => {
  // Of other widths, so that only their middles meet.
  await openWithTexts(page, ['Annabel', 'Bob']);

  await test.step('a text snaps to another one and shows a guide; with Alt it does not', async () => {
    await put(page, /Ann/, 7, -20);
    await put(page, /Bob/, 0, 20);
    const [ann, bob] = [await middleOf(texts(page).nth(0)), await middleOf(texts(page).nth(1))];
    // Three pixels beside the other's middle, and clear of every line of the area.
    await pullBy(page, texts(page).nth(1), ann.x - bob.x + 3, 17);
    await expect(guides(page)).toBeAttached();
    await page.keyboard.down('Alt');
    await page.mouse.move(ann.x + 4, bob.y + 17);
    await expect(guides(page)).not.toBeAttached();
    await page.keyboard.up('Alt');
    await page.mouse.move(ann.x + 3, bob.y + 17);
    await expect(guides(page)).toBeAttached();
    await page.mouse.up();
    await expect(guides(page)).not.toBeAttached();
    expect((await readNumbers(page, /Bob/)).x).toBe(7);
    await page.keyboard.press('Control+z');
    expect((await readNumbers(page, /Bob/)).x).toBe(0);
  });

  await addAnother(page, 'Ada');
  await test.step('rows are dragged over and under one another, and Escape cancels a drag', async () => {
    await expect(rows(page)).toHaveText([/Ada/, /Bob/, /Ann/, /Machine area/]);
    const [ann, ada] = [await middleOf(row(page, /Ann/)), await middleOf(row(page, /Ada/))];
    const drag = async () => {
      await page.mouse.move(ann.x, ann.y);
      await page.mouse.down();
      await page.mouse.move(ann.x, ada.y + 20, { steps: 4 });
      await page.mouse.move(ann.x, ada.y - 8, { steps: 4 });
      await expect(list(page).locator('[data-drop-line]')).toHaveCount(1);
    };
    await drag();
    await page.keyboard.press('Escape');
    await expect(list(page).locator('[data-drop-line]')).toHaveCount(0);
    await page.mouse.up();
    await expect(rows(page)).toHaveText([/Ada/, /Bob/, /Ann/, /Machine area/]);
    await drag();
    await page.mouse.up();
    await expect(rows(page)).toHaveText([/Ann/, /Ada/, /Bob/, /Machine area/]);
    await page.keyboard.press('Control+z');
    await expect(rows(page)).toHaveText([/Ada/, /Bob/, /Ann/, /Machine area/]);
  });

  await test.step('a text snaps to the same gap as its neighbors, which is shown in millimeters', async () => {
    await put(page, /Ann/, 0, -45);
    await put(page, /Bob/, 0, -30);
    await put(page, /Ada/, 0, 20);
    const [ann, bob, ada] = [
      await middleOf(texts(page).nth(0)),
      await middleOf(texts(page).nth(1)),
      await middleOf(texts(page).nth(2)),
    ];
    await pullBy(page, texts(page).nth(2), 0, bob.y + (bob.y - ann.y) - ada.y + 3);
    await expect(guides(page).locator('text')).toHaveText([/^[\d.]+ mm$/, /^[\d.]+ mm$/]);
    await page.mouse.up();
    expect((await readNumbers(page, /Ada/)).y).toBeCloseTo(-15, 1);
  });

  await test.step('several elements are selected on the stage and moved as one step', async () => {
    await put(page, /Ann/, -6, -30);
    await put(page, /Bob/, 5, 10);
    await put(page, /Ada/, 0, 50);
    const places = async () => [await readNumbers(page, /Ann/), await readNumbers(page, /Bob/)];
    const before = await places();

    await texts(page).nth(0).click({ force: true });
    await texts(page)
      .nth(1)
      .click({ force: true, modifiers: ['Shift'] });
    await expect(inspector(page).getByRole('heading', { name: '2 elements' })).toBeVisible();
    await pullBy(page, texts(page).nth(1), 31, 23);
    await page.mouse.up();
    await expect(inspector(page).getByRole('heading', { name: '2 elements' })).toBeVisible();
    const after = await places();
    for (const axis of ['x', 'y'] as const) {
      expect(after[0]![axis]).not.toBe(before[0]![axis]);
      expect(after[0]![axis] - before[0]![axis]).toBeCloseTo(after[1]![axis] - before[1]![axis], 0);
    }
    await page.keyboard.press('Control+z');
    expect(await places()).toEqual(before);

    // A rectangle around the upper two, drawn beside everything; then all by key, nudged and removed.
    await stage(page).focus();
    await page.keyboard.press('Escape');
    const [ann, bob] = [await boxAtRest(texts(page).nth(0)), await boxAtRest(texts(page).nth(1))];
    await page.mouse.move(ann.x - 30, ann.y - 40);
    await page.mouse.down();
    await page.mouse.move(bob.x + bob.width + 20, bob.y + bob.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect(row(page, /Ann/)).toHaveAttribute('aria-pressed', 'true');
    await expect(row(page, /Bob/)).toHaveAttribute('aria-pressed', 'true');
    await expect(row(page, /Ada/)).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.press('Control+a');
    await expect(inspector(page).getByRole('heading', { name: '3 elements' })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await expect(texts(page)).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(texts(page)).toHaveCount(3);
    await page.keyboard.press('Control+z');
    expect(await places()).toEqual(before);
  });

  await test.step('several elements are selected in the list, aligned and given equal gaps', async () => {
    await put(page, /Ann/, -6, -30);
    await put(page, /Bob/, 5, 3);
    await put(page, /Ada/, 1, 20);
    await row(page, /Ann/).click();
    await row(page, /Ada/).click({ modifiers: ['Shift'] });
    await expect(inspector(page).getByRole('heading', { name: '3 elements' })).toBeVisible();
    await inspector(page).getByRole('button', { name: 'Align left' }).click();
    await inspector(page).getByRole('button', { name: 'Distribute vertically' }).click();
    await expectNoFaults(page, 'aligned texts in the inspector', '[aria-label="Inspector"]');
    const [ann, bob, ada] = [
      await readNumbers(page, /Ann/),
      await readNumbers(page, /Bob/),
      await readNumbers(page, /Ada/),
    ];
    const left = ({ x, width }: { x: number; width: number }) => x - width / 2;
    expect(left(bob)).toBeCloseTo(left(ann), 0);
    expect(left(ada)).toBeCloseTo(left(ann), 0);
    expect([ann.y, ada.y]).toEqual([-30, 20]);
    const gap = (upper: typeof ann, lower: typeof ann) => lower.y - lower.height / 2 - (upper.y + upper.height / 2);
    // Three figures of a tenth of a millimeter each.
    expect(Math.abs(gap(ann, bob) - gap(bob, ada))).toBeLessThan(0.31);

    // One is aligned to the machine area, by its button and by its key.
    await inspector(page).getByRole('button', { name: 'Align centers' }).click();
    expect((await readNumbers(page, /Ada/)).x).toBe(0);
    await row(page, /Ada/).focus();
    await page.keyboard.press('Alt+v');
    expect((await readNumbers(page, /Ada/)).y).toBe(0);
  });

  await test.step('Enter and a double click put the caret into the text', async () => {
    const field = page.getByLabel('Edit text');
    await page.getByRole('tab', { name: 'Upload Image' }).click();
    await row(page, /Ann/).focus();
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await page.keyboard.type('Zoe');
    await expect(row(page, /Zoe/)).toBeVisible();

    const fieldOnStage = page.getByRole('textbox', { name: 'Text on the product' });
    const bob = await middleOf(texts(page).nth(1));
    await page.mouse.dblclick(bob.x, bob.y);
    await expect(fieldOnStage).toBeFocused();
    await expect(fieldOnStage).toHaveValue('Bob');
    await page.keyboard.press('Escape');
    await expect(stage(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(fieldOnStage).toBeFocused();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  async function openNarrow(page: Page): Promise<void> {
    await page.goto('/studio');
    await chooseProduct(page);
    await addText(page, 'Ann');
  }

  test('elements are zoomed, dragged and changed by touch', { tag: '@detail' }, async ({ page }) => {
    await openNarrow(page);
    await page.getByRole('button', { name: 'Add text' }).tap();
    await page.getByPlaceholder(/Type a name/).fill('Bob');
    await expect(texts(page)).toHaveCount(2);

    await test.step('two fingers zoom and pan the product, and move nothing on it', async () => {
      await page.getByRole('button', { name: /Position & Preview/ }).tap();
      await page.evaluate(() => scrollTo(0, 0));
      const where = await row(page, /Ann/).getAttribute('aria-label');
      const picture = stage(page).locator('img');
      const whole = await boxAtRest(picture);
      const { x, y } = await middleOf(stage(page));
      const fingers = [
        { x: x - 40, y },
        { x: x + 40, y },
      ];
      await moveFingers(page, fingers, [
        { x: x - 80, y },
        { x: x + 80, y },
      ]);
      await expect.poll(async () => (await picture.boundingBox())!.width / whole.width).toBeCloseTo(2, 1);
      const afterPinch = await boxAtRest(picture);
      expect(afterPinch.x + afterPinch.width / 2).toBeCloseTo(whole.x + whole.width / 2, 0);

      await moveFingers(page, fingers, [
        { x: x - 15, y: y + 30 },
        { x: x + 65, y: y + 30 },
      ]);
      await expect.poll(async () => (await picture.boundingBox())!.x - afterPinch.x).toBeCloseTo(25, 0);
      const afterPush = await boxAtRest(picture);
      expect(afterPush.y - afterPinch.y).toBeCloseTo(30, 0);
      expect(afterPush.width).toBeCloseTo(afterPinch.width, 0);
      await expect(row(page, /Ann/)).toHaveAttribute('aria-label', where!);
    });

    await test.step('a finger drags a row by its grip, and Enter opens the step of the text', async () => {
      const grip = (name: RegExp) =>
        list(page)
          .getByRole('listitem')
          .filter({ has: page.getByRole('button', { name }) })
          .locator('[data-grip]');
      // Below the stage, which stays on top.
      await grip(/^Text Bob/).evaluate((element) => element.scrollIntoView({ block: 'start' }));
      const size = await boxAtRest(grip(/^Text Ann/));
      expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(24);
      const [ann, bob] = [await middleOf(grip(/^Text Ann/)), await middleOf(grip(/^Text Bob/))];
      await moveFingers(page, [ann], [{ x: bob.x, y: bob.y - 8 }]);
      await expect(rows(page)).toHaveText([/Ann/, /Bob/, /Machine area/]);

      await row(page, /Ann/).focus();
      await page.keyboard.press('Enter');
      const field = page.getByLabel('Edit text');
      await expect(field).toBeFocused();
      await expect(field).toBeInViewport({ ratio: 1 });
    });

    await test.step('elements are hidden, locked and reordered by touch', async () => {
      await page.getByRole('button', { name: /Position & Preview/ }).tap();
      await row(page, /Bob/).tap();
      const buttons = page.getByRole('group', { name: 'With Bob' });
      await buttons.getByRole('button', { name: 'Bring forward' }).tap();
      await expect(rows(page)).toHaveText([/Bob/, /Ann/, /Machine area/]);
      const item = list(page)
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { name: /^Text Bob/ }) });
      const eye = item.getByRole('button', { name: 'Hide' });
      const size = await boxAtRest(eye);
      expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(24);
      await eye.tap();
      await expect(texts(page)).toHaveCount(1);
      await item.getByRole('button', { name: 'Show' }).tap();
      await expect(texts(page)).toHaveCount(2);
      await item.getByRole('button', { name: 'Lock' }).tap();
      await expect(row(page, /Bob.*, locked$/)).toBeVisible();
    });
  });
});
