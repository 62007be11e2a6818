/** Badges: added from the gallery, with words that keep to their ring, up to the file. */
import { type Contour, flatten, readContours } from '@markwright/scene';
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { readProductionFile } from './productionFile.ts';
import { boxAtRest, chooseProduct, openStudio, save, stage, textElement, waitForDrawing } from './studio.ts';
import { expect, test } from './test.ts';

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text on the product' });
const number = (page: Page, name: string) => page.getByRole('spinbutton', { name });

/** Edits the words of the first or second text of a badge where they stand: on the top or the bottom of its ring. */
async function write(page: Page, side: 'top' | 'bottom', words: string): Promise<void> {
  await waitForDrawing(page);
  const box = await boxAtRest(textElement(page).nth(side === 'top' ? 0 : 1));
  const y = side === 'top' ? box.y + 5 : box.y + box.height - 5;
  await page.mouse.dblclick(box.x + box.width / 2, y);
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type(words);
  await page.keyboard.press('Escape');
  await expect(editor(page)).toHaveCount(0);
}

interface Letter {
  /** From the middle of the badge, in its own radii of 30 mm, and so clockwise from the top. */
  readonly radius: number;
  readonly angle: number;
  /** How far its foot is from the middle. */
  readonly foot: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the letters of a file that stand around the ring, by their angle. `unit` is that of the badge. */
function readLetters(contours: readonly Contour[]): { readonly letters: Letter[]; readonly unit: number } {
  const lines = contours.map((contour) => flatten(contour, 0.001));
  const points = lines.map((flat) => flat.flatMap((x, i) => (i % 2 ? [] : [{ x, y: flat[i + 1]! }])));
  const [xs, ys] = [points.flat().map(({ x }) => x), points.flat().map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const unit = (right - left) / 60;
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const letters = points.map((letter): Letter => {
    const own = letter.map(({ x, y }) => ({ x: (x - middle.x) / unit, y: (y - middle.y) / unit }));
    const center = { x: mean(own.map(({ x }) => x)), y: mean(own.map(({ y }) => y)) };
    const radius = Math.hypot(center.x, center.y);
    const [cos, sin] = [center.x / radius, center.y / radius];
    const upright = own.map(({ x, y }) => ({ out: x * cos + y * sin, along: y * cos - x * sin }));
    const outs = upright.map(({ out }) => out);
    const edge = center.y < 0 ? Math.min(...outs) : Math.max(...outs);
    const feet = upright.filter(({ out }) => Math.abs(out - edge) < 0.4).toSorted((a, b) => a.along - b.along);
    const foot = (feet[0]!.out + feet.at(-1)!.out) / 2;
    return { radius, angle: Math.atan2(center.x, -center.y), foot };
  });
  return { letters: letters.filter(({ radius }) => radius > 18.5 && radius < 25), unit };
}

test('a badge is added, and its words keep to their ring when they change, up to the file', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseProduct(page, 'Cherry Plaque');
  await page.getByRole('tab', { name: 'Codes & Shapes' }).click();
  const gallery = page.getByRole('region', { name: 'Badges' });
  await expect(gallery.getByRole('button')).toHaveCount(8);
  await expectNoFaults(page, 'the gallery of badges', '[aria-label="Badges"]');
  await gallery.getByRole('button', { name: 'Add badge: Rope' }).click();
  await expect(textElement(page)).toHaveCount(4);

  await test.step('words are written in place, on the top and on the bottom', async () => {
    await write(page, 'top', 'MINIM');
    await write(page, 'bottom', 'NIHIL MINIM');
    await waitForDrawing(page);
  });

  await test.step('every letter of the file stands on the circle of its side, from left to right', async () => {
    const { bytes } = await save(page, 'Export for Production Processing');
    const { paths } = await readProductionFile(page, bytes.toString('utf8'));
    const { letters, unit } = readLetters(paths.flatMap(({ d }) => readContours(d)));
    expect(unit).toBeGreaterThan(0);
    const upper = letters.filter(({ angle }) => Math.abs(angle) < Math.PI / 2);
    expect(upper).toHaveLength(5);
    expect(letters).toHaveLength(15);
    // Capitals of Montserrat are 0.7 em high: half of them is inside of the circle, of 21.6 mm, and half outside.
    const half = (0.7 * 6.4) / 2;
    for (const { angle, foot } of letters) {
      const base = Math.abs(angle) < Math.PI / 2 ? 21.6 - half : 21.6 + half;
      expect(Math.abs(foot - base)).toBeLessThan(0.03);
    }
  });

  await test.step('the circle is changed by its fields, and undone', async () => {
    await page.getByRole('tab', { name: 'Add Text' }).click();
    const diameter = number(page, 'Diameter of the circle in millimeters');
    await expect(page.getByRole('radio', { name: 'Bottom', exact: true })).toBeChecked();
    await expectNoFaults(page, 'the fields of a circle', '[role="tabpanel"]');
    const before = await diameter.inputValue();
    const box = await boxAtRest(textElement(page).nth(1));
    await diameter.fill('20');
    await diameter.press('Enter');
    await expect.poll(async () => (await boxAtRest(textElement(page).nth(1))).width).toBeLessThan(box.width);
    await page.getByRole('radio', { name: 'Bottom', exact: true }).press('ArrowLeft');
    await expect(page.getByRole('radio', { name: 'Top', exact: true })).toBeChecked();
    await page.getByRole('button', { name: 'Keep to a circle' }).click();
    await expect(page.getByRole('slider', { name: 'Bend' })).toBeVisible();
    await stage(page).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('Control+z');
    await expect(diameter).toHaveValue(before);
    await expect(page.getByRole('radio', { name: 'Bottom', exact: true })).toBeChecked();
  });

  await test.step('words that are too long are named, and made to fit', async () => {
    await write(page, 'top', 'MAXIMILIAN AND HIS SEVEN SONS');
    await page.getByRole('button', { name: 'Fit to arc' }).first().click();
    await waitForDrawing(page);
    const [top, bottom] = [await boxAtRest(textElement(page).nth(0)), await boxAtRest(textElement(page).nth(1))];
    expect(top.y + top.height).toBeLessThan(bottom.y + bottom.height);
    await expect(number(page, 'Diameter of the circle in millimeters')).toHaveValue('43.2');
  });
});
