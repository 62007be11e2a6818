/** The widget: alone on a small phone, and in a frame on a shop's page of another site. */
import type { APIRequestContext, FrameLocator, Page } from '@playwright/test';
import { signUp } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { openShopSite } from './shopSite.ts';
import { boxAtRest, TUMBLER } from './studio.ts';
import { expect, intercept, test } from './test.ts';

const MUG = '11 oz Ceramic Mug, White';

const textOnStage = (place: Page | FrameLocator) =>
  place.getByRole('application', { name: /^Stage/ }).locator('[data-element^="text:"]');

async function choose(place: Page | FrameLocator, name: string): Promise<void> {
  await place.getByRole('searchbox', { name: 'Search products' }).fill(name);
  await place.getByRole('button', { name }).click();
  await expect(place.getByRole('application', { name: /^Stage/ })).toBeVisible();
}

async function write(place: Page | FrameLocator, words: string): Promise<void> {
  await place.getByRole('tab', { name: 'Add Text' }).click();
  await place.getByPlaceholder(/Type a name/).fill(words);
  await expect(textOnStage(place).locator('path').first()).toBeAttached();
}

/** Counts what scrolls up and down within the page. */
const countScrolling = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('main *')].filter(
        (place) =>
          place.scrollHeight > place.clientHeight && ['auto', 'scroll'].includes(getComputedStyle(place).overflowY),
      ).length,
  );

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

  test('by itself, at 320 pixels: machine, product, text, flip, delete, save, open again', { tag: '@detail' }, async ({
    page,
    context,
  }) => {
    await page.goto('/widget');
    await expect(page.getByRole('radio', { name: 'Laser' })).toBeChecked();
    await expect(page.getByRole('searchbox', { name: 'Search products' })).toBeVisible();
    await expectNoFaults(page, 'the products');
    await test.step('only the page scrolls, and the list goes on by a button', async () => {
      const others = page.getByRole('button', { name: /^Show the other \d+ categories$/ });
      await expect(others).toBeVisible();
      expect(await countScrolling(page)).toBe(0);
      const categories = page.getByRole('main').getByRole('heading', { level: 3 });
      const few = await categories.count();
      await others.click();
      await expect.poll(() => categories.count()).toBeGreaterThan(few);
    });
    await page.getByRole('radio', { name: 'Sublimation' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-machine', 'sublimation');
    await choose(page, MUG);
    await expect(page.getByRole('radio', { name: 'Sublimation' })).toBeChecked();

    const keep = page.getByRole('button', { name: 'Save design' });
    await expect(keep).toBeDisabled();
    await write(page, 'Oak & Ash');
    await page.getByRole('button', { name: 'Flip Oak & Ash' }).click();
    await expect(page.getByRole('button', { name: 'Flip Oak & Ash' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByPlaceholder(/Type a name/).fill('Oak & Elm');
    await page.getByPlaceholder(/Type a name/).blur();
    await expect(page.getByRole('button', { name: 'Edit Oak & Elm' })).toBeVisible();
    await expectNoFaults(page, 'a text on the mug');
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    const stage = await boxAtRest(page.getByRole('application', { name: /^Stage/ }));
    const zoom = await boxAtRest(page.getByRole('button', { name: 'Zoom in' }));
    expect(zoom.y).toBeGreaterThanOrEqual(stage.y + stage.height); // nothing lies over the product's foot

    await test.step('at 320 pixels a text is placed, sized and turned by keys alone, and by a finger', async () => {
      const number = (name: string) => page.getByRole('spinbutton', { name });
      const read = async (name: string) => Number(await number(name).inputValue());

      await tabTo(page, page.locator('summary', { hasText: 'Place and size' }));
      await page.keyboard.press('Enter');
      // The pointer still rests on a control, whose tooltip lies outside of all landmarks.
      await page.mouse.move(160, 225);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await expectNoFaults(page, 'place and size');
      // The ink's place: its middle is not quite that of the line.
      const start = await read('Horizontal position from the center');
      await tabTo(page, page.getByRole('button', { name: 'Move right' }));
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read('Horizontal position from the center')) - start).toBeGreaterThan(0.45);
      expect((await read('Horizontal position from the center')) - start).toBeLessThan(0.75); // 1 % of 61 mm
      for (const [name, value] of [
        ['Width in millimeters', '40'],
        ['Rotation in degrees', '90'],
      ] as const) {
        await tabTo(page, number(name));
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(value);
        await page.keyboard.press('Enter');
        await expect(number(name)).toHaveValue(name.startsWith('Width') ? '40.0' : value);
      }
      const stage = page.getByRole('application', { name: /^Stage/ });
      await tabTo(page, stage, 'Shift+Tab');
      const at = await read('Vertical position from the center');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => read('Vertical position from the center')).toBeGreaterThan(at);

      const words = (await textOnStage(page).boundingBox())!;
      const middle = { x: words.x + words.width / 2, y: words.y + words.height / 2 };
      const touch = await context.newCDPSession(page);
      const points = (x: number, y: number) => ({ touchPoints: [{ x, y, id: 0 }] });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...points(middle.x, middle.y) });
      for (const step of [6, 12, 18]) {
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...points(middle.x - step, middle.y) });
      }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await expect.poll(() => read('Horizontal position from the center')).toBeLessThan(-3);
      await expect(number('Width in millimeters')).toHaveValue('40.0');

      await page.getByRole('tab', { name: 'Upload Image' }).tap();
      await stage.focus();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Oak & Elm', exact: true }).tap();
      await expect(number('Rotation in degrees')).toHaveValue('90');
    });

    await page.getByRole('button', { name: 'One more' }).click();
    await keep.click();
    const link = page.getByRole('textbox', { name: 'Link to the design' });
    await expect(link).toBeVisible();
    await expectNoFaults(page, 'a saved design', '[aria-label="Take it along"]');
    expect(await page.getByRole('img', { name: 'The saved design' }).evaluate(isDrawn)).toBe(true);
    const address = await link.inputValue();

    // Nothing is kept on the device: another page knows it by its address alone.
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    const other = await context.newPage();
    await other.goto(address);
    await expect(textOnStage(other).locator('path').first()).toBeAttached();
    await expect(other.getByRole('radio', { name: 'Sublimation' })).toBeChecked();
    await expect(other.getByRole('spinbutton', { name: 'Quantity' })).toHaveValue('2');
    await other.getByRole('tab', { name: 'Add Text' }).click();
    await expect(other.getByRole('button', { name: 'Flip Oak & Elm' })).toHaveAttribute('aria-pressed', 'true');
    await other.getByRole('button', { name: 'Remove Oak & Elm' }).click();
    await expect(textOnStage(other)).toHaveCount(0);
    await other.close();
  });
});

const isDrawn = async (image: SVGElement | HTMLElement) => {
  await (image as HTMLImageElement).decode();
  return (image as HTMLImageElement).naturalWidth > 0;
};

test('a saved design outlives its product; a shop without products says so; a lost connection loses nothing', {
  tag: '@detail',
}, async ({ page, context, request }) => {
  const { headers } = await signUp(request);
  const offer = (...enabledBaseCategories: string[]) =>
    request.put('/api/company', { headers, data: { companyName: 'Oak Yard', enabledBaseCategories } });
  await offer();
  const { key } = await (await request.put('/api/company/shop', { headers, data: { checkout: true } })).json();

  await page.setViewportSize({ width: 320, height: 640 });
  await test.step('a shop that is not there, and no connection, have a way out', async () => {
    await page.goto('/widget?shop=nobodys-key-at-all-00000');
    await expect(page.getByRole('heading', { name: 'This shop is closed' })).toBeVisible();
    await expectNoFaults(page, 'a closed shop');
    const restore = await intercept(page, '**/api/widget/**', (route) => route.abort());
    await page.goto('/widget');
    await expect(page.getByRole('heading', { name: 'The products did not load' })).toBeVisible();
    restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('searchbox', { name: 'Search products' })).toBeVisible();
  });
  await intercept(page, '**/assets/orderMarks-*', (route) => route.abort());
  await page.goto(`/widget?shop=${key}`);
  const nothing = page.getByRole('heading', { name: 'Nothing to design here at the moment' });
  await expect(nothing).toBeVisible();
  await expectNoFaults(page, 'a shop without products');
  await offer('Mugs');
  await page.getByRole('button', { name: 'Look again' }).click();
  await choose(page, MUG);
  await write(page, 'Oak 😀');
  await expect(page.getByText(/^Not in our fonts, so left out: \W*😀/)).toBeVisible();
  await expectNoFaults(page, 'a letter no font has');
  await page.getByPlaceholder(/Type a name/).fill('Oak');
  await expect(page.getByText('Not in our fonts')).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save design' }).click();
  await expect(page.getByRole('alert')).toHaveText('You are offline. Please try again when you are connected.');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your order' })).toBeFocused();
  // A part whose code does not come takes nothing away. Online again it is tried once more, and the page knows of it.
  const missing = page.evaluate(() => new Promise<void>((end) => addEventListener('part-missing', () => end())));
  await context.setOffline(false);
  await missing;
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeEditable();
  await page.getByRole('button', { name: 'Back to the design' }).click();
  await page.getByRole('button', { name: 'Save design' }).click();
  const address = await page.getByRole('textbox', { name: 'Link to the design' }).inputValue();

  await offer('Tumblers');
  await page.goto(address);
  await expect(page.getByText(`“${MUG}” is not offered here any more`)).toBeVisible();
  await expect(page.getByRole('img', { name: 'The design as you saved it' })).toBeVisible();
  await expectNoFaults(page, 'a saved design without its product');
  await choose(page, TUMBLER);
  await expect(textOnStage(page).locator('path').first()).toBeAttached();
  await expect(page.getByText('Your design is on this product now.')).toBeVisible();
  await page.getByRole('button', { name: 'Save design' }).click();
  await expect(page.getByRole('textbox', { name: 'Link to the design' })).not.toHaveValue(address);

  await offer();
  await page.goto(address);
  await expect(nothing).toBeVisible();
  await expect(page.getByText('The design you saved is kept')).toBeVisible();
});

test('in a frame of another site: sends its events, answers its page only, sets no cookie', async ({
  page,
  baseURL,
}) => {
  const site = await openShopSite();
  const [shop, channel] = [site.origin, 'a-channel'];
  const src = `${baseURL}/widget?channel=${channel}&host=${encodeURIComponent(shop)}&theme=dark&mode=uv`;
  const listen =
    '<script>told = []; addEventListener("message", ({ data, origin }) => told.push({ ...data, origin }))</script>';
  const iframe = `<iframe title="Designer" src="${src.replaceAll('&', '&amp;')}" width="900" height="700"></iframe>`;
  await page.goto(site.serve('/', listen + iframe));
  type WidgetMessage = Record<string, unknown>;
  const messagesOf = (type: string) =>
    page.evaluate(
      (type) => (globalThis as unknown as { told: WidgetMessage[] }).told.filter((message) => message.type === type),
      type,
    );
  const ask = (message: object) =>
    page.evaluate(
      ([message, target]) => document.querySelector('iframe')!.contentWindow!.postMessage(message, target as string),
      [message, baseURL!] as const,
    );
  const frame = page.frameLocator('iframe');

  await expect(frame.getByRole('radio', { name: 'UV print' })).toBeChecked();
  await expect(frame.getByRole('link', { name: 'Back' })).toHaveCount(0);
  // The frame is higher than its content: the columns continue below it.
  await expect(frame.locator('html')).toHaveCSS('background-image', /^linear-gradient/);
  await expect.poll(() => messagesOf('ready')).toMatchObject([{ markwright: 1, channel, origin: baseURL }]);
  await expect.poll(async () => (await messagesOf('resize')).length).toBeGreaterThan(0);
  await choose(frame, TUMBLER);
  await write(frame, 'Oak');
  await expect
    .poll(async () => (await messagesOf('change')).at(-1))
    .toMatchObject({
      productName: TUMBLER,
      machine: 'uv',
      hasDesign: false,
      textCount: 1,
    });

  await frame.getByRole('button', { name: 'Add to cart' }).click();
  await expect(frame.getByText('Added to the cart.')).toBeVisible();
  await expect.poll(async () => (await messagesOf('add-to-cart')).length).toBe(1);
  const [cartMessage] = await messagesOf('add-to-cart');
  expect(cartMessage).toMatchObject({
    designId: expect.stringMatching(/^[\w-]{22}$/),
    previewUrl: expect.stringMatching(/^http.*preview\.png$/),
    line: { productName: TUMBLER, machine: 'uv', quantity: 1, totalCents: null },
  });

  // The widget ignores messages with another channel or without one, and unknown calls.
  await ask({ markwright: 1, channel: 'another', type: 'theme', theme: 'light' });
  await ask({ markwright: 1, channel, type: 'call', call: 8, method: 'erase' });
  await ask({ type: 'theme', theme: 'light' });
  await ask({ markwright: 1, channel, type: 'call', call: 1, method: 'save' });
  await expect
    .poll(async () => (await messagesOf('result'))[0])
    .toMatchObject({ call: 1, value: { line: { machine: 'uv' } } });
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark');
  await ask({ markwright: 1, channel, type: 'theme', theme: 'light' });
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'light');

  // The shop opens the saved design from its cart. For an unknown design the widget answers with an error.
  await frame.getByRole('button', { name: 'Start over' }).click();
  await frame.getByRole('button', { name: 'Really start over?' }).click();
  await expect(frame.getByText('Select a Product').or(frame.getByRole('searchbox')).first()).toBeVisible();
  await ask({ markwright: 1, channel, type: 'call', call: 2, method: 'open', designId: cartMessage!.designId });
  await expect(textOnStage(frame).locator('path').first()).toBeAttached();
  await ask({ markwright: 1, channel, type: 'call', call: 3, method: 'open', designId: 'A'.repeat(22) });
  await expect
    .poll(async () => (await messagesOf('result')).slice(1))
    .toMatchObject([{ call: 2 }, { call: 3, error: expect.stringContaining('not kept any more') }]);
  expect(await page.context().cookies()).toEqual([]);
  await site.close();
});

test.describe('the order', () => {
  const openShop = async (request: APIRequestContext): Promise<string> => {
    const { headers } = await signUp(request);
    await request.put('/api/company', { headers, data: { companyName: 'Oak Yard', enabledBaseCategories: ['Mugs'] } });
    const data = { checkout: true, defaultPriceCents: 1250 };
    return (await (await request.put('/api/company/shop', { headers, data })).json()).key;
  };
  /** Writes on a mug in a shop of its own. */
  const design = async (page: Page, request: APIRequestContext, text: string) => {
    await page.goto(`/widget?shop=${await openShop(request)}`);
    await choose(page, MUG);
    await write(page, text);
  };
  const stageOf = (page: Page) => page.getByRole('application', { name: /^Stage/ });
  const fillIn = async (page: Page) => {
    await page.getByLabel('Name', { exact: true }).fill('Ida Berg');
    await page.getByLabel('Email').fill('ida@example.com');
  };

  test('stands beside the stage, which keeps its size, and says what happens next', { tag: '@detail' }, async ({
    page,
    request,
  }) => {
    await design(page, request, 'Oak');
    const before = await boxAtRest(stageOf(page));
    await page.getByRole('button', { name: 'Save design' }).click();
    await expect(page.getByRole('textbox', { name: 'Link to the design' })).toBeInViewport({ ratio: 1 });
    expect(await boxAtRest(stageOf(page))).toEqual(before);
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Your order' })).toBeFocused();
    expect(await boxAtRest(stageOf(page))).toEqual(before);
    await expect(page.getByRole('button', { name: 'Order', exact: true })).toHaveCount(0);
    await expect(page.getByText('Everything can be made as it is shown.')).toBeAttached();

    await test.step('the way back loses nothing', async () => {
      await fillIn(page);
      await page.getByRole('button', { name: 'Back to the design' }).click();
      await expect(page.getByRole('button', { name: 'Order', exact: true })).toBeFocused();
      await expect(page.getByPlaceholder(/Type a name/)).toHaveValue('Oak');
      await page.getByRole('button', { name: 'Order', exact: true }).click();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ida Berg');
    });
    await expectNoFaults(page, 'the order');

    await page.getByRole('button', { name: 'Place order' }).click();
    await expect(page.getByRole('heading', { name: /^Order [\w-]{9} is placed$/ })).toBeFocused();
    await expect(page.getByRole('listitem').filter({ hasText: 'brings the proof' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Place order' })).toHaveCount(0);
    await expectNoFaults(page, 'the order, placed');
    await test.step('the stage is at rest until the customer goes on', async () => {
      const grips = page.locator('[data-grip^="resize"]');
      const mark = page.locator('[data-element^="text:"]');
      await expect(grips).toHaveCount(0);
      const place = await boxAtRest(mark);
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
      await expect(grips).toHaveCount(0);
      await page.getByRole('button', { name: 'Go on designing' }).click();
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
      await expect(grips.first()).toBeAttached();
    });
    await expect(page.getByText(/^Order [\w-]{9} is placed\./)).toBeVisible();
    expect(await boxAtRest(stageOf(page))).toEqual(before);
    await expect(page.getByRole('button', { name: 'Order', exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'One more' }).click(); // another order
    await expect(page.getByRole('button', { name: 'Order', exact: true })).toBeEnabled();
  });

  test('has a screen of its own on a phone, with the product above it', { tag: '@detail' }, async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await design(page, request, 'Oak');
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    const heading = page.getByRole('heading', { name: 'Your order' });
    await expect(heading).toBeInViewport();
    await expect(textOnStage(page).locator('path').first()).toBeInViewport();
    await expect(page.getByRole('radio', { name: 'Laser' })).toBeHidden();
    const [stage, back] = [await boxAtRest(stageOf(page)), page.getByRole('button', { name: 'Back to the design' })];
    expect((await boxAtRest(heading)).y).toBeGreaterThanOrEqual(stage.y + stage.height);
    await page.getByRole('button', { name: 'Place order' }).scrollIntoViewIfNeeded();
    await expect(back).toBeInViewport();
    await expectNoFaults(page, 'the order on a phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await back.click();
    await expect(page.getByRole('button', { name: 'Order', exact: true })).toBeFocused();
    await expect(page.getByRole('radio', { name: 'Laser' })).toBeVisible();
  });

  test('says what cannot be made, mends it with a click, and takes it as it is only with a tick', async ({
    page,
    request,
  }) => {
    await design(page, request, 'Oak and Ash');
    await page.locator('summary', { hasText: 'Place and size' }).click();
    await textOnStage(page).first().click({ force: true });
    const width = page.getByRole('spinbutton', { name: 'Width in millimeters' });
    await width.fill('5');
    await width.press('Enter');
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    const findings = page.getByRole('region', { name: 'Before you order' });
    await expect(findings.getByRole('listitem').first()).toContainText(/mm/);
    await expectNoFaults(page, 'findings before the order');
    await fillIn(page);
    await page.getByRole('button', { name: 'Place order' }).click();
    await expect(findings.getByRole('alert')).toHaveText('Change what was found, or tick this.');
    await expect(findings.getByRole('checkbox', { name: /Order it as it is/ })).toBeFocused();

    await test.step('a fix for one click', async () => {
      // The last one, of the thinnest line, asks for the most.
      await findings
        .getByRole('button', { name: /^Enlarge to/ })
        .last()
        .click();
      await expect(findings).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      // Lines are measured after the text. The tick is for what is found at last.
      await expect(findings).toContainText('too thin');
    });
    await findings.getByRole('checkbox', { name: /Order it as it is/ }).check();
    await page.getByRole('button', { name: 'Place order' }).click();
    await expect(page.getByRole('heading', { name: /^Order [\w-]{9} is placed$/ })).toBeVisible();
  });

  test('offers no choice of machines where all products are made by one', { tag: '@detail' }, async ({ page }) => {
    await intercept(page, '**/api/widget/products*', async (route) => {
      const response = await route.fetch();
      const products = ((await response.json()) as object[]).map((product) => ({ ...product, machines: ['uv'] }));
      await route.fulfill({ response, json: products });
    });
    await page.goto('/widget');
    await expect(page.getByText('Design it yourself', { exact: true }).last()).toBeVisible();
    await expect(page.getByRole('radio')).toHaveCount(0);
    await expect(page.locator('html')).toHaveAttribute('data-machine', 'uv');
    await choose(page, MUG);
    await expect(page.locator('html')).toHaveAttribute('data-machine', 'uv');
    await expectNoFaults(page, 'a shop with one machine');
  });
});
