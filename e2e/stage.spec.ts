/** The stage's manners: zoom by the wheel, menus, texts edited in place, several elements as one. */
import type { Page } from '@playwright/test';
import { expectNoFaults } from './axe.ts';
import { logoPng } from './pictures.ts';
import {
  addText,
  boxAtRest,
  chooseProduct,
  dropFile,
  middleOf,
  openStudio,
  stage,
  textElement,
  waitForDrawing,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const picture = (page: Page) => stage(page).locator('img').first();
const list = (page: Page) => page.getByRole('list', { name: 'Elements on the product' });
const row = (page: Page, name: RegExp) => list(page).getByRole('button', { name });
const menu = (page: Page) => page.getByRole('menu', { name: 'Actions' });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Text on the product' });

test('texts on the stage are seen near, edited in place, changed by a menu, scaled and copied', {
  tag: '@detail',
}, async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);

  await test.step('the wheel zooms to the pointer up to 32 times and pans, and a double click fits', async () => {
    const whole = await boxAtRest(picture(page));
    // Whole pixels, as the events of the wheel have.
    const at = { x: Math.round(whole.x + whole.width * 0.55), y: Math.round(whole.y + whole.height * 0.4) };
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down('Control');
    for (let notch = 0; notch < 30; notch++) await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await picture(page).boundingBox())!.width / whole.width).toBeCloseTo(32, 3);
    const largeBox = await boxAtRest(picture(page));
    // The same place of the picture is under the pointer.
    expect((at.x - largeBox.x) / largeBox.width).toBeCloseTo((at.x - whole.x) / whole.width, 4);
    expect((at.y - largeBox.y) / largeBox.height).toBeCloseTo((at.y - whole.y) / whole.height, 4);

    await page.mouse.wheel(0, 120);
    await expect.poll(async () => (await picture(page).boundingBox())!.y - largeBox.y).toBeCloseTo(-120, 0);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 50);
    await page.keyboard.up('Shift');
    await expect.poll(async () => (await picture(page).boundingBox())!.x - largeBox.x).toBeCloseTo(-50, 0);

    // However far it is edgeBox, the product covers the middle of the stage.
    for (let push = 0; push < 6; push++) await page.mouse.wheel(0, 20_000);
    const room = await boxAtRest(stage(page));
    const edgeBox = await boxAtRest(picture(page));
    expect(edgeBox.y + edgeBox.height).toBeGreaterThan(room.y + room.height / 2);

    const view = page.getByRole('group', { name: 'View' });
    await expect(view.getByRole('button', { name: 'Zoom in' })).toBeDisabled();
    await view.getByRole('button', { name: 'Zoom out' }).click();
    await expect(view.getByLabel('Zoom of the stage')).toHaveText('300 %');

    await page.mouse.dblclick(at.x, at.y);
    await expect.poll(async () => (await picture(page).boundingBox())!.width).toBeCloseTo(whole.width, 1);
  });

  await test.step('a double click edits a text in place, and leaving it is one undo step', async () => {
    await addText(page, 'Ann');
    const text = await middleOf(textElement(page));
    await page.mouse.dblclick(text.x, text.y);
    await expect(editor(page)).toBeFocused();
    await expectNoFaults(page, 'a text edited in place');
    await page.keyboard.type('Hazel');
    await page.keyboard.press('Enter');
    await page.keyboard.type('& Finn');
    await expect(row(page, /Hazel & Finn/)).toBeVisible();
    // The field lies over what is drawn.
    await waitForDrawing(page);
    const [field, textBox] = [await boxAtRest(editor(page)), await boxAtRest(textElement(page))];
    expect(field.x + field.width / 2).toBeCloseTo(textBox.x + textBox.width / 2, -0.5);
    expect(field.y + field.height / 2).toBeCloseTo(textBox.y + textBox.height / 2, -1);
    await page.keyboard.press('Escape');
    await expect(editor(page)).toHaveCount(0);
    await expect(stage(page)).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(row(page, /Ann/)).toBeVisible();

    await page.keyboard.press('Enter');
    await expect(editor(page)).toHaveValue('Ann');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Escape');
    await expect(row(page, /Ann/)).toBeVisible();
  });

  await test.step('a text on an arc is edited on a plate as wide as the arc, with the caret in sight', async () => {
    const bend = page.getByRole('spinbutton', { name: 'Bend in percent of a circle' });
    await bend.fill('50');
    await bend.press('Enter');
    await waitForDrawing(page);
    const arc = await boxAtRest(textElement(page));
    await page.mouse.dblclick(arc.x + arc.width / 2, arc.y + arc.height / 2);
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type('abel and Maximilian of Oak Yard');
    await expect(row(page, /Annabel and Maximilian/)).toBeVisible();
    await waitForDrawing(page);
    const field = await boxAtRest(editor(page));
    const longArc = await boxAtRest(textElement(page));
    expect(field.x + field.width / 2).toBeCloseTo(longArc.x + longArc.width / 2, -1);
    // All of it is in the field, and its end is where the caret is.
    expect(await editor(page).evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0);
    expect(field.width).toBeLessThan(1.25 * longArc.width);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect(bend).toHaveValue('0');
    await expect(row(page, /Ann/)).toBeVisible();
  });

  await test.step('an input method composes in a text that is edited in place', async () => {
    const { x, y } = await middleOf(textElement(page));
    const edit = async () => {
      await page.mouse.dblclick(x, y);
      await expect(editor(page)).toBeFocused();
    };
    const input = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      input.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    /** A key that the input method takes: the page hears of it as of a part of the composition. */
    const pressInMethod = async (key: string) => {
      for (const type of ['rawKeyDown', 'keyUp'] as const) {
        await input.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 229 });
      }
    };

    await edit();
    // No font has these letters, so nothing is drawn of them.
    await compose('ほ');
    await expect(editor(page)).toHaveValue('ほ');
    await compose('ほし');
    for (const key of ['ArrowLeft', 'ArrowRight', 'Enter', 'Escape']) await pressInMethod(key);
    await expect(editor(page)).toBeFocused();
    await expect(editor(page)).toHaveValue('ほし');
    await input.send('Input.insertText', { text: 'Zoë' });
    await page.keyboard.press('ArrowLeft');
    await compose('i');
    await input.send('Input.insertText', { text: 'í' });
    await expect(editor(page)).toHaveValue('Zoíë');
    await page.keyboard.press('Escape');
    await expect(editor(page)).toHaveCount(0);
    await expect(row(page, /Zoíë/)).toBeVisible();
    await page.keyboard.press('Control+z'); // one step
    await expect(row(page, /Ann/)).toBeVisible();

    // A press beside the text ends a composition, and keeps it.
    await edit();
    await compose('Émil');
    await page.mouse.click(x, y + 200);
    await expect(editor(page)).toHaveCount(0);
    await expect(row(page, /Émil/)).toBeVisible();
    await stage(page).focus();
    await page.keyboard.press('Control+z');
    await expect(row(page, /Ann/)).toBeVisible();
  });

  await test.step('the context menu opens by keys and by the right button, with the acts that fit', async () => {
    await row(page, /Ann/).click();
    await stage(page).focus();
    await page.keyboard.press('Shift+F10');
    await expect(menu(page)).toBeVisible();
    await expectNoFaults(page, 'the menu of an element');
    await page.keyboard.press('ArrowDown');
    await expect(menu(page).getByRole('menuitem', { name: 'Edit text' })).toBeFocused();
    await page.keyboard.type('Lo');
    await expect(menu(page).getByRole('menuitem', { name: 'Lock' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(menu(page)).toHaveCount(0);
    await expect(stage(page)).toBeFocused();
    await expect(row(page, /Ann.*, locked$/)).toBeVisible();

    await page.keyboard.press('ContextMenu');
    await expect(menu(page).getByRole('menuitem', { name: 'Unlock' })).toBeVisible();
    await expect(menu(page).getByRole('menuitem', { name: 'Delete' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(stage(page)).toBeFocused();

    // The lid of the tumbler, where nothing lies.
    const product = await boxAtRest(picture(page));
    const lid = { x: product.x + product.width / 2, y: product.y + product.height * 0.13 };
    await page.mouse.click(lid.x, lid.y, { button: 'right' });
    await menu(page).getByRole('menuitem', { name: 'Select all' }).click();
    await expect(row(page, /Ann/)).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('a corner scales several texts together, as one undo step', async () => {
    await row(page, /Ann/).focus();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'Add text' }).click();
    await page.getByPlaceholder(/Type a name/).fill('Bob');
    await expect(textElement(page)).toHaveCount(2);
    await stage(page).focus();
    await page.keyboard.press('Control+a');
    const before = await Promise.all([0, 1].map((index) => boxAtRest(textElement(page).nth(index))));
    const corner = await middleOf(page.locator('[data-grip="resizeSeveral:2"]'));
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.down();
    await page.mouse.move(corner.x + 30, corner.y + 30, { steps: 4 });
    await page.mouse.up();
    const after = await Promise.all([0, 1].map((index) => boxAtRest(textElement(page).nth(index))));
    const ratios = after.map(({ width }, index) => width / before[index]!.width);
    expect(ratios[0]).toBeGreaterThan(1.1);
    expect(ratios[1]).toBeCloseTo(ratios[0]!, 1);
    await page.keyboard.press('Control+z');
    for (const [index, { width }] of before.entries()) {
      await expect.poll(async () => (await textElement(page).nth(index).boundingBox())!.width).toBeCloseTo(width, 0);
    }
    await row(page, /Bob/).focus();
    await page.keyboard.press('Delete');
    await expect(textElement(page)).toHaveCount(1);
  });

  await test.step('Alt drags a copy, and elements are copied and pasted into another design', async () => {
    const ann = await middleOf(textElement(page));
    await page.keyboard.down('Alt');
    await page.mouse.move(ann.x, ann.y);
    await page.mouse.down();
    await page.mouse.move(ann.x, ann.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Alt');
    await expect(textElement(page)).toHaveCount(2);
    const copy = await middleOf(textElement(page).nth(1));
    expect(copy.y - ann.y).toBeCloseTo(40, 0);
    expect(await middleOf(textElement(page).first())).toEqual(ann);
    await page.keyboard.press('Control+z');
    await expect(textElement(page)).toHaveCount(1);

    await stage(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect(textElement(page)).toHaveCount(2);
    await page.keyboard.press('Control+z');

    await page.getByRole('button', { name: 'My designs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^New/ }).click();
    await expect(textElement(page)).toHaveCount(0);
    await chooseProduct(page, 'Slate Coaster');
    await stage(page).focus();
    await page.keyboard.press('Control+v');
    await expect(row(page, /Ann/)).toBeVisible();
  });
});

/** Returns what the bar at the selection and the Live Preview lie on, of elements, grips and each other. */
const coveredNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility({ visibilityProperty: true }));
    const floating = all(
      '[aria-label="Selected element"], [aria-label="Actions for the selection"], [aria-label="Live Preview"]',
    );
    const stage = document.querySelector('[role="application"]')!;
    const buttons = all('[aria-label="View"], [aria-label="History"], [aria-label="Look at the trace"]');
    // The frame of the machine area is a grip along its line alone.
    const below = [...stage.querySelectorAll('[data-element] path, [data-grip]:not([data-grip="area"])')];
    const nameOf = (node: Element) =>
      node.getAttribute('aria-label') ??
      node.getAttribute('data-grip') ??
      node.closest('[data-element]')?.outerHTML.slice(0, 60);
    return floating.flatMap((node) => {
      const a = node.getBoundingClientRect();
      const others = [
        ...below,
        ...buttons,
        ...floating.filter((other) => other !== node && !node.contains(other) && !other.contains(node)),
      ];
      return others.flatMap((other) => {
        const b = other.getBoundingClientRect();
        const isApart =
          a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        return isApart ? [] : [`${nameOf(node)} on ${nameOf(other)}`];
      });
    });
  });

test('the bar and the Live Preview lie on no element and no grip, whatever the product and the zoom', {
  tag: '@detail',
}, async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, { name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  await addText(page, 'Ann');
  const bar = page.getByRole('group', { name: 'Selected element' });
  const more = page.getByRole('button', { name: 'Actions for the selection' });
  const preview = page.getByRole('complementary', { name: 'Live Preview' });
  const forms = new Set<string>();
  for (const product of ['20 oz Skinny Tumbler, Matte Black', 'Slate Coaster', 'Brass Keychain, 2.5 in Bar']) {
    await chooseProduct(page, product);
    for (const zoom of ['area', 'fit', 'in', 'in']) {
      if (zoom === 'fit') await page.getByRole('button', { name: 'Fit', exact: true }).click();
      if (zoom === 'in') {
        for (let step = 0; step < 4; step++) {
          const button = page.getByRole('button', { name: 'Zoom in' });
          if (await button.isEnabled()) await button.click();
        }
      }
      for (const name of [/badge/, /Ann/]) {
        await row(page, name).click();
        await expect.poll(() => coveredNames(page), `${product}, ${zoom}, ${name}`).toEqual([]);
        if (await bar.isVisible()) forms.add('bar');
        if (await more.isVisible()) forms.add('more');
        forms.add((await preview.getByRole('img').count()) > 0 ? 'window' : 'chip');
      }
    }
  }
  expect([...forms].sort()).toEqual(['bar', 'chip', 'more', 'window']);

  await test.step('the Live Preview shows the mockup, without handles and brackets', async () => {
    await chooseProduct(page);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    const mockup = preview.getByRole('img', { name: 'Your product' });
    await expect(mockup.locator('[data-element]')).toHaveCount(2);
    expect(await mockup.locator('[data-grip], [data-preflight], [data-guides], polygon, line').count()).toBe(0);
  });
});
