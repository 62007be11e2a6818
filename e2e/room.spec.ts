/** The room of the studio: how few clicks a job takes, and what stands where. */
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { logoPng, photographOfLogo, posterPng, tiltedSignPng } from './pictures.ts';
import {
  boxAtRest,
  chooseMachine,
  countClicks,
  element,
  openSettings,
  openStep,
  openStudio,
  save,
  settingGroup,
  stage,
  textElement,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

/** Drops a file on the page as a person would from the desktop, at a point of the window. */
async function dropAt(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
  at: { x: number; y: number },
): Promise<void> {
  await page.evaluate(
    ({ name, mimeType, base64, at }) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name, { type: mimeType }));
      const target = document.elementFromPoint(at.x, at.y) ?? document.body;
      for (const type of ['dragenter', 'dragover', 'drop']) {
        const place = { clientX: at.x, clientY: at.y };
        target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, ...place }));
      }
    },
    { name: file.name, mimeType: file.mimeType, base64: file.buffer.toString('base64'), at },
  );
}

const MIDDLE = { x: 720, y: 450 };
const suggestion = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'Suggested blanks' }).getByRole('button', { name });

test('a logo and a name on a tumbler take five clicks, and the file seven', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  const clicks = await countClicks(page);
  await dropAt(page, { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await photographOfLogo(600) }, MIDDLE);
  await expect(page.getByRole('heading', { name: 'Product Selection Required' })).toBeVisible();
  await suggestion(page, /Tumbler/).click();
  await waitForTrace(page);
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await page.getByPlaceholder(/Type a name/).click();
  await page.keyboard.type('Hazel & Finn');
  await expect(textElement(page).locator('path').first()).toBeAttached();
  expect(await clicks()).toBeLessThanOrEqual(5);
  const file = await save(page, 'Export for Production Processing');
  expect(file.bytes.toString('utf8')).toContain('<path');
  expect(await clicks()).toBeLessThanOrEqual(7);

  await test.step('a card says what was made, and goes on to the next name', async () => {
    const card = page.getByRole('region', { name: 'Last export' });
    await expect(card).toContainText(file.name);
    await expect(card).toContainText(/SVG · [\d.]+ × [\d.]+ mm · [\d.]+ × [\d.]+ in/);
    await expect(card).toContainText(/Checks passed|left open/);
    await card.getByRole('button', { name: 'Make another format' }).click();
    await page.getByRole('dialog', { name: 'Production file' }).press('Escape');
    await expectNoFaults(page, 'the card after an export');
    const sheet = await save(page, 'Job sheet');
    expect(sheet.name).toMatch(/_job-sheet\.pdf$/);
    expect(sheet.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await expect(card).toContainText(sheet.name);
    await page.setViewportSize({ width: 1280, height: 720 });
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await expect
      .poll(() => inspector.evaluate((place) => place.scrollHeight - place.clientHeight), 'hidden px of the inspector')
      .toBeLessThanOrEqual(0);
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    await page.setViewportSize({ width: 1440, height: 900 });
    await card.getByRole('button', { name: 'Next name: edit the text' }).click();
    await expect(page.getByRole('textbox', { name: 'Edit text' })).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Ida');
    await expect(textElement(page)).toHaveCount(1);
    // It speaks of a design that is no longer there.
    await expect(card).toHaveCount(0);
  });
});

test('clip art on a mug takes five clicks', async ({ page }) => {
  await openStudio(page);
  const clicks = await countClicks(page);
  await page.getByRole('radio', { name: /uv printer/i }).click();
  await dropAt(page, { name: 'clip art.png', mimeType: 'image/png', buffer: await posterPng() }, { x: 160, y: 700 });
  await suggestion(page, /Mug/).click();
  await waitForTrace(page);
  expect(await clicks()).toBeLessThanOrEqual(5);

  await test.step('the inspector is whole in a low window, also with several colors', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await expect(inspector.getByRole('button', { name: /each of the \d+ colors/ })).toBeVisible();
    const hiddenPx = () => inspector.evaluate((place) => place.scrollHeight - place.clientHeight);
    await expect.poll(hiddenPx).toBeLessThanOrEqual(0);
  });
});

test('a sample is traced on a blank with two clicks', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Photo of a printed logo' }).click();
  await suggestion(page, /Tumbler/).click();
  await waitForTrace(page);
  expect(await clicks()).toBe(2);
});

test('a picture waits for a product, and what is not one is refused where it fell; the stage has the room', {
  tag: '@detail',
}, async ({ page }) => {
  await openStudio(page);

  await test.step('a text is refused where it fell', async () => {
    const at = { x: 900, y: 300 };
    await dropAt(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Ann') }, at);
    const refusal = page.getByRole('alert').filter({ hasText: 'image' });
    const box = await boxAtRest(refusal);
    expect(Math.abs(box.x + box.width / 2 - at.x)).toBeLessThan(40);
    expect(at.y).toBeGreaterThanOrEqual(box.y - 8);
    expect(at.y).toBeLessThanOrEqual(box.y + box.height + 8);
  });

  await test.step('a picture waits, and can be taken away', async () => {
    await dropAt(page, { name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() }, MIDDLE);
    const waiting = page.getByRole('region', { name: 'Your picture' });
    await expect(waiting).toContainText('badge.png');
    await expectNoFaults(page, 'a picture that waits for a product', 'main');
    // A browser cannot draw a LightBurn project: the waiting card shows its name instead of a picture.
    await dropAt(page, { name: 'part.lbrn2', mimeType: '', buffer: Buffer.from('<LightBurnProject/>') }, MIDDLE);
    await expect(waiting).toContainText('LightBurn');
    await expect(waiting.locator('img')).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove the picture' }).click();
    await expect(waiting).toHaveCount(0);
  });

  const expectWhole = async (step: number) => {
    const body = page.locator(`#step-${step}`);
    await expect(body).toBeVisible();
    await expect.poll(() => body.evaluate((node) => node.scrollHeight - node.clientHeight)).toBeLessThanOrEqual(1);
  };
  const atEachSize = async (check: (size: { width: number; height: number }) => Promise<void>) => {
    for (const size of [
      { width: 1280, height: 720 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      await test.step(`${size.width} x ${size.height}`, () => check(size));
    }
  };

  await test.step('the list of products shows whole rows, and the rest over the page', async () => {
    const all = page.getByRole('button', { name: /^Show all/ });
    await atEachSize(async () => {
      await expectWhole(2);
      const step = await boxAtRest(page.locator('#step-2'));
      const cards = await page.locator('#step-2 [data-card]').filter({ visible: true }).all();
      expect(cards.length).toBeGreaterThanOrEqual(2);
      for (const card of cards) {
        const { y, height } = await boxAtRest(card);
        expect(y + height).toBeLessThanOrEqual(step.y + step.height);
      }
      const offer = await boxAtRest(page.getByRole('complementary', { name: 'Tutorial offer' }));
      const blank = await boxAtRest(suggestion(page, /Tumbler/));
      const isBeside = offer.x >= blank.x + 3 * blank.width;
      expect(isBeside || offer.y >= blank.y + blank.height, JSON.stringify([offer, blank])).toBe(true);
      // A category that is opened shows its products, wherever it stood.
      await page
        .locator('#step-2')
        .getByRole('button', { name: /^Tumblers/ })
        .click();
      await page
        .locator('#step-2')
        .getByRole('button', { name: /^Water Bottles/ })
        .click();
      await expect(page.getByRole('button', { name: /Cola Bottle/ }).filter({ visible: true })).toHaveCount(2);
      await page
        .locator('#step-2')
        .getByRole('button', { name: /^Water Bottles/ })
        .click();
      await page
        .locator('#step-2')
        .getByRole('button', { name: /^Tumblers/ })
        .click();
    });
    await all.click();
    const sheet = page.getByRole('dialog', { name: 'Select Product' });
    await expect(sheet.getByRole('button', { name: /Pie Pan/ })).not.toHaveCount(0);
    await expectNoFaults(page, 'all products', 'dialog[open]');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(all).toBeFocused();
  });

  await test.step('beside an empty product the stage has the room, and the open step is whole', async () => {
    await suggestion(page, /Tumbler/).click();
    await expect(stage(page).locator('img')).toBeVisible();
    await atEachSize(async ({ width, height }) => {
      const room = await boxAtRest(stage(page));
      expect((room.width * room.height) / (width * height)).toBeGreaterThanOrEqual(0.6);
      const picture = await boxAtRest(stage(page).locator('img'));
      expect(picture.height).toBeGreaterThanOrEqual(0.8 * room.height);
      // With its hint, which nobody has put away.
      await expect(page.getByRole('button', { name: 'Dismiss the hint of step 3' })).toBeVisible();
      await expectWhole(3);
      await page.getByRole('tab', { name: 'Add Text' }).click();
      await expectWhole(3);
      await page.getByRole('tab', { name: 'Upload Image' }).click();
    });
  });

  await test.step('with a picture, each panel beside the stage is whole', async () => {
    await dropAt(page, { name: 'sign.png', mimeType: 'image/png', buffer: await tiltedSignPng() }, MIDDLE);
    await waitForTrace(page);
    await expect(page.getByRole('note').filter({ hasText: 'Tilted by' })).toBeVisible();
    await expect(page.getByRole('note').filter({ hasText: 'Background must be removed' })).toBeVisible();
    await atEachSize(async ({ height }) => {
      await openStep(page, 'Add Your Design & Text');
      await expectWhole(3);
      await expect(page.getByRole('button', { name: 'Add another' })).toBeInViewport({ ratio: 1 });
      for (const name of ['Detail', 'Shapes', 'Picture'] as const) {
        await openSettings(page, name);
        // The buttons of the picture and the offers are hidden to make room for the settings.
        await expect(page.getByRole('note').filter({ hasText: 'Tilted by' })).toBeHidden();
        await expectWhole(3);
        await expect(page.getByRole('button', { name: 'Re-trace' })).toBeInViewport({ ratio: 1 });
      }
      if (height > 800) await expectNoFaults(page, 'the settings, unfolded', '#step-3');
      await settingGroup(page, 'Picture').click();
      await expect(page.getByRole('note').filter({ hasText: 'Tilted by' })).toBeVisible();
      const align = page.getByRole('button', { name: 'Align', exact: true });
      if (height < 800) await align.click();
      await expect(page.getByRole('button', { name: 'Align left' }).first()).toBeInViewport({ ratio: 1 });
      await expect(element(page, 'design').locator('path').first()).toBeAttached();
      const inspector = page.getByRole('region', { name: 'Inspector' });
      await expect
        .poll(() => inspector.evaluate((node) => node.scrollHeight - node.clientHeight))
        .toBeLessThanOrEqual(1);
      const exports = await boxAtRest(page.getByRole('region', { name: 'Export' }));
      expect(exports.height).toBeLessThanOrEqual(132);
      await openStep(page, 'Position & Preview');
      await expectWhole(4);
    });
  });

  await test.step('a printer gets no advice for lasers', async () => {
    await chooseMachine(page, /uv printer/i);
    await openStep(page, 'Add Your Design & Text');
    await expect(page.getByRole('note').filter({ hasText: 'Tilted by' })).toBeVisible();
    await expect(page.getByText(/engrave/i).filter({ visible: true })).toHaveCount(0);
  });
});
