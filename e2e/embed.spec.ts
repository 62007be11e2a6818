/** The widget on a shop's page of another site, without third-party cookies; and the page that explains it. */
import { readFile } from 'node:fs/promises';
import type { FrameLocator, Page } from '@playwright/test';
import { signUp } from './accounts.ts';
import { expectNoFaultsAtBothSizes } from './axe.ts';
import { tabTo } from './keys.ts';
import { openShopSite, type ShopSite } from './shopSite.ts';
import { expect, test } from './test.ts';

let shop: ShopSite;
test.beforeAll(async () => {
  shop = await openShopSite();
});
test.afterAll(() => shop.close());

const savedDesign = {
  designId: 'q5cRzU1c0Yt4mM8nVbZx2A',
  previewUrl: 'https://studio.example/p.webp',
  line: {
    productName: 'Mug',
    machine: 'uv',
    quantity: 2,
    currency: 'USD',
    unitPriceCents: 1900,
    totalCents: 3800,
  },
};

/** A page that mounts with the loader and keeps what it heard in `heard`. */
const mounting = (studio: string, options = '') => `
  <div id="here"></div>
  <script src="${studio}/embed.js"></script>
  <script>
    heard = [];
    const keep = (type) => (event) => heard.push({ type, ...event });
    widget = Markwright.mount({
      container: 'here',
      onReady: keep('ready'), onChange: keep('change'), onAddToCart: keep('add-to-cart'), onError: keep('error'),
      ${options}
    });
  </script>`;

/** Replaces the widget's page in tests of the messages alone: it answers calls, and sends what a test tells it to. */
async function standIn(page: Page): Promise<void> {
  const html = `<!doctype html><title>Widget</title><script>
    const asked = new URLSearchParams(location.search);
    say = (message) => parent.postMessage({ markwright: 1, channel: asked.get('channel'), ...message }, asked.get('host'));
    raw = (message) => parent.postMessage(message, '*');
    addEventListener('message', ({ data }) => {
      if (data.type === 'theme') document.title = data.theme;
      if (data.type === 'call' && data.method === 'save') say({ type: 'result', call: data.call, value: ${JSON.stringify(savedDesign)} });
      if (data.type === 'call' && data.method === 'open') say({ type: 'result', call: data.call, error: 'This design is not there any more.' });
    });
    say({ type: 'ready' });
  </script>`;
  await page.route(/\/widget\?/, (route) => route.fulfill({ contentType: 'text/html', body: html }));
}

const messagesOf = (page: Page) => page.evaluate<{ type: string }[]>('heard');
const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[data-markwright]');
/** Runs a line inside the widget's frame. */
const inWidget = (page: Page, line: string) =>
  frameOf(page)
    .locator('html')
    .first()
    .evaluate((_, line) => new Function(line)(), line);

test('on a shop’s page of another site, without third-party cookies, the widget is ready', async ({
  page,
  baseURL,
  context,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(
    shop.serve('/plain', mounting(baseURL!, `theme: 'dark', mode: 'uv', height: 'auto', onResize: keep('resize'),`)),
  );
  await expect.poll(() => messagesOf(page)).toContainEqual({ type: 'ready' });

  // Third-party cookies are off, and the widget needs none: the frame keeps no cookie, and the server set none.
  await inWidget(page, `document.cookie = 'probe=1; SameSite=None; Secure'`);
  expect(await inWidget(page, 'return document.cookie')).toBe('');
  expect(await context.cookies(baseURL!)).toEqual([]);
  expect(errors).toEqual([]);

  await test.step('the widget answers calls of its own page only', async () => {
    const forgeryCount = await page.evaluate(`(() => {
      results = [];
      addEventListener('message', ({ data }) => { if (data?.type === 'result') results.push(data); });
      const channel = new URL(widget.frame.src).searchParams.get('channel');
      const call = { markwright: 1, channel, type: 'call', call: 7, method: 'save' };
      const messages = [
        null, undefined, 7, '', 'save', [], {}, [call], JSON.stringify(call), { call }, { type: 'call', call: 7, method: 'save' },
        ...[0, 2, '1', null, true, [1]].map((markwright) => ({ ...call, markwright })),
        ...['', 'f00d', channel + '0', channel.toUpperCase() + ' ', null, [channel]].map((channel) => ({ ...call, channel })),
        ...['toString', 'login', '', null].map((type) => ({ ...call, type })),
        ...['constructor', 'delete', '__proto__', null].map((method) => ({ ...call, method })),
        ...[-1, 0.5, NaN, '7'].map((number) => ({ ...call, call: number })),
        { ...call, method: 'open' }, { ...call, method: 'open', designId: '../7' }, { ...call, type: 'theme', theme: '<b>' },
      ];
      for (const message of messages) widget.frame.contentWindow.postMessage(message, '*');
      // Well formed, from another window of the very same page's origin.
      const stranger = document.body.appendChild(document.createElement('iframe'));
      stranger.contentWindow.eval('(frame, call) => frame.postMessage(call, "*")')(widget.frame.contentWindow, call);
      return messages.length + 1;
    })()`);
    expect(forgeryCount).toBeGreaterThanOrEqual(30);
    await expect(page.evaluate('widget.save()')).rejects.toThrow('Please choose a product first.');
    expect(await page.evaluate('results.length')).toBe(1);
  });
  await test.step('the frame is as high as its content', async () => {
    const high = () => page.locator('iframe[data-markwright]').evaluate((frame) => frame.clientHeight);
    const content = () =>
      inWidget(
        page,
        `return Math.ceil(document.querySelector('#root').firstElementChild.getBoundingClientRect().height)`,
      );
    await expect.poll(async () => (await high()) - Number(await content())).toBe(0);
  });
});

test('the loader adds one global, the first loader stays, and wrong options throw a message', async ({
  page,
  baseURL,
}) => {
  await standIn(page);
  await page.goto(
    shop.serve(
      '/twice',
      `<script>before = Object.getOwnPropertyNames(window)</script>
       <script src="${baseURL}/embed.js"></script>
       <script>added = Object.getOwnPropertyNames(window).filter((name) => !before.includes(name)); first = Markwright</script>
       <script src="${baseURL}/embed.js?again"></script>
       <div id="here"></div>`,
    ),
  );
  expect(await page.evaluate('added.filter((name) => name !== "before")')).toEqual(['Markwright']);
  expect(await page.evaluate('first === Markwright && Markwright.version')).toMatch(/^1\.\d+\.\d+$/);

  const wrong: [string, RegExp][] = [
    ['', /container must be an element or the id of one\./],
    [`{ container: 'nowhere' }`, /there is no element with the id "nowhere"\./],
    [`{ container: 'here', theme: 'pink' }`, /theme must be one of light, dark, auto\./],
    [`{ container: 'here', mode: 'mill' }`, /mode must be one of laser, uv, sublimation, dtf\./],
    [`{ container: 'here', shop: '"><script>' }`, /shop must be the key/],
    [`{ container: 'here', design: '7' }`, /design must be the id of a saved design\./],
    [`{ container: 'here', width: '100% ; color: red' }`, /width must be a number of pixels or a CSS length/],
    [`{ container: 'here', height: -1 }`, /height must be a number/],
    [`{ container: 'here', onReady: 'now' }`, /the handler of "ready" must be a function\./],
  ];
  for (const [options, sentence] of wrong) {
    const message = await page.evaluate(
      `(() => { try { Markwright.mount(${options}); } catch (error) { return error.message; } })()`,
    );
    expect(message, options).toMatch(sentence);
  }
  expect(await page.locator('iframe').count()).toBe(0);

  await page.evaluate(`Markwright.mount({ container: 'here' })`);
  const second = page.evaluate(`Markwright.mount({ container: 'here' })`);
  await expect(second).rejects.toThrow('there is a widget in this container already');
});

test('thirty foreign and malformed messages are ignored', async ({ page, baseURL }) => {
  await standIn(page);
  await page.goto(
    shop.serve('/forged', `${mounting(baseURL!)}<iframe id="other" src="${baseURL}/widget?other"></iframe>`),
  );
  await expect.poll(() => messagesOf(page)).toEqual([{ type: 'ready' }]);

  const count = await page.evaluate(`(() => {
    const channel = new URL(widget.frame.src).searchParams.get('channel');
    const ours = { markwright: 1, channel };
    const sale = { ...ours, type: 'add-to-cart', ...${JSON.stringify(savedDesign)} };
    forged = [
      null, undefined, 0, 'ready', '', true, [], {}, JSON.stringify(sale), [sale],
      { type: 'ready' }, { ...sale, markwright: 2 }, { ...sale, markwright: '1' }, { ...sale, channel: '' },
      { ...sale, channel: channel + '0' }, { ...sale, channel: [channel] }, { ...sale, type: 'login' }, { ...sale, type: 'toString' },
      { ...sale, designId: '7' }, { ...sale, designId: '../../etc/passwd0000' }, { ...sale, previewUrl: 7 }, { ...sale, line: null },
      { ...sale, line: { ...sale.line, quantity: -1 } }, { ...sale, line: { ...sale.line, totalCents: 0.5 } },
      { ...sale, line: { ...sale.line, machine: 'mill' } }, { ...ours, type: 'change', machine: 'uv' },
      { ...ours, type: 'resize', height: '9' }, { ...ours, type: 'resize', height: Infinity }, { ...ours, type: 'error' },
      { ...ours, type: 'result', call: 1 }, { ...ours, type: 'call', call: 1, method: 'save' },
    ];
    return forged.length;
  })()`);
  expect(count).toBeGreaterThanOrEqual(30);

  // Malformed ones from the right window; well-formed ones from the page itself and from another frame of our origin.
  const forgeries = await page.evaluate('forged');
  await frameOf(page)
    .locator('html')
    .evaluate((_, messages) => {
      for (const message of messages as unknown[]) (window as unknown as { raw(message: unknown): void }).raw(message);
    }, forgeries);
  await page.evaluate(`(async () => {
    const channel = new URL(widget.frame.src).searchParams.get('channel');
    sale = { markwright: 1, channel, type: 'add-to-cart', ...${JSON.stringify(savedDesign)} };
    for (const message of [...forged, sale]) window.postMessage(message, '*');
  })()`);
  const sale = await page.evaluate('sale');
  await page
    .frameLocator('#other')
    .locator('html')
    .evaluate((_, sale) => {
      (window as unknown as { raw(message: unknown): void }).raw(sale);
    }, sale);

  // The one that is ours comes last and is the only one heard.
  await inWidget(page, `say({ type: 'error', message: 'The last.' })`);
  await expect.poll(() => messagesOf(page)).toEqual([{ type: 'ready' }, { type: 'error', message: 'The last.' }]);
});

test('fifty widgets on a page keep their messages apart, and load when they are needed', async ({ page, baseURL }) => {
  await standIn(page);
  const container = (i: number) => `<div id="w${i}" style="min-height:400px"></div>`;
  await page.goto(
    shop.serve(
      '/fifty',
      `${Array.from({ length: 50 }, (_, i) => container(i)).join('')}
       <script src="${baseURL}/embed.js"></script>
       <script>
         heard = Array.from({ length: 50 }, () => []);
         widgets = heard.map((list, i) => Markwright.mount({
           container: 'w' + i, height: 400,
           onChange: ({ textCount }) => list.push(textCount),
           onReady: () => list.push('ready'),
         }));
       </script>`,
    ),
  );
  expect(await page.locator('iframe').count()).toBe(50);
  await expect.poll(() => page.evaluate('heard[0].length')).toBe(1);
  expect(await page.evaluate(`heard.filter((list) => list.includes('ready')).length`)).toBeLessThan(50);

  // A call does not wait for the shopper to scroll there.
  expect(await page.evaluate('widgets[49].save()')).toEqual(savedDesign);
  const channels = await page.evaluate<string[]>(
    `widgets.map(({ frame }) => new URL(frame.src).searchParams.get('channel'))`,
  );
  expect(new Set(channels).size).toBe(50);

  await page.evaluate(`Promise.all(widgets.map((widget) => widget.save()))`);
  for (const [i, frame] of page.frames().slice(1).entries()) {
    const channel = new URL(frame.url()).searchParams.get('channel');
    const number = channels.indexOf(channel!);
    expect(number, `frame ${i}`).toBeGreaterThanOrEqual(0);
    await frame.evaluate((n) => {
      const say = (window as unknown as { say(message: object): void }).say;
      say({ type: 'change', productId: null, productName: null, machine: 'uv', hasDesign: false, textCount: n });
    }, number);
  }
  const numbers = Array.from({ length: 50 }, (_, i) => ['ready', i]);
  await expect.poll(() => page.evaluate('heard')).toEqual(numbers);
});

test('calls are answered and end with the widget, the theme is followed, and no listener stays', async ({
  page,
  baseURL,
}) => {
  await standIn(page);
  const counting = `<script>
    listening = 0;
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (...args) { listening++; return add.apply(this, args); };
    EventTarget.prototype.removeEventListener = function (...args) { listening--; return remove.apply(this, args); };
  </script>`;
  await page.goto(shop.serve('/ending', `${counting}${mounting(baseURL!, `design: '${savedDesign.designId}',`)}`));
  // The design it was to begin with is not there: said as an error, and the widget goes on.
  await expect
    .poll(() => messagesOf(page))
    .toEqual([{ type: 'ready' }, { type: 'error', message: 'This design is not there any more.' }]);
  expect(await page.evaluate('widget.save()')).toEqual(savedDesign);
  const opening = page.evaluate(`widget.open('${savedDesign.designId}')`);
  await expect(opening).rejects.toThrow('This design is not there any more.');
  await page.evaluate(`widget.setTheme('dark')`);
  await expect.poll(() => inWidget(page, 'return document.title')).toBe('dark');
  const hearing = page.evaluate(`new Promise((resolve) => { stop = widget.on('error', resolve); })`);
  await inWidget(page, `say({ type: 'error', message: 'Once.' })`);
  expect(await hearing).toEqual({ message: 'Once.' });
  await page.evaluate('stop()');

  const pending = page.evaluate(`(() => { const saving = widget.save(); widget.destroy(); return saving; })()`);
  await expect(pending).rejects.toThrow('this widget was taken off the page');
  await expect(page.evaluate('widget.save()')).rejects.toThrow('this widget was taken off the page');
  expect(await page.evaluate('[listening, document.querySelectorAll("iframe").length]')).toEqual([0, 0]);
  // The container is free again.
  await page.evaluate(`Markwright.mount({ container: 'here' })`);
});

test('another site’s page can frame the widget and no other page', async ({ page, baseURL }) => {
  await page.route('**/assets/**', (route) => route.abort()); // nothing needs to run in a frame that is shown
  const places = ['/', '/studio', '/auth', '/profile', '/plans', '/admin', '/embed', '/widget'];
  await page.goto(
    shop.serve('/clicks', places.map((path) => `<iframe name="${path}" src="${baseURL}${path}"></iframe>`).join('')),
  );
  for (const path of places) {
    const frame = page.frame({ name: path })!;
    await expect.poll(() => frame.url(), path).not.toBe('about:blank');
    const isShown = frame.url().startsWith(baseURL!);
    expect(isShown, path).toBe(path === '/widget');
  }
});

test('a shop’s widget is shown only on the shop’s own pages', async ({ page, baseURL, request }) => {
  await page.route('**/assets/**', (route) => route.abort());
  const { headers } = await signUp(request);
  const { key } = await (await request.get('/api/company/shop', { headers })).json();
  const allow = (allowedOrigins: string[]) => request.put('/api/company/shop', { headers, data: { allowedOrigins } });
  const url = shop.serve('/own', `<iframe name="w" src="${baseURL}/widget?shop=${key}"></iframe>`);
  const isShown = async () => {
    await page.goto(url);
    const frameUrl = () => page.frame({ name: 'w' })!.url();
    await expect.poll(frameUrl).toMatch(/\w+:\/\//);
    return frameUrl().startsWith(baseURL!);
  };
  expect(await isShown()).toBe(true);
  expect((await allow([shop.origin])).status()).toBe(200);
  expect(await isShown()).toBe(true);
  await allow(['https://another-shop.example']);
  expect(await isShown()).toBe(false);
});

test.describe('the embed page', () => {
  test('writes the code for a shop’s page', async ({ page, context, baseURL }) => {
    await page.goto('/feedback');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Embed Widget' }).click();
    await test.step('can be used by keyboard, and axe finds nothing', async () => {
      await tabTo(page, page.getByRole('tab', { name: 'JavaScript' }));
      await page.keyboard.press('ArrowLeft');
      await expect(page.getByRole('region', { name: 'iFrame embed code' })).toBeVisible();
      await expect(page.getByRole('table', { name: 'iFrame options' })).toBeVisible();
      await tabTo(page, page.getByRole('tab', { name: 'Shopify' }));
      for (const platform of ['Etsy', 'WordPress', 'Wix', 'Squarespace']) {
        await page.keyboard.press('ArrowRight');
        await expect(page.getByRole('tab', { name: platform })).toHaveAttribute('aria-selected', 'true');
      }
      await expectNoFaultsAtBothSizes(page, 'the embed page');
    });
    await test.step('writes the code for the chosen options, copies it, and shows the widget', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL! });
      await page.getByRole('tab', { name: 'JavaScript' }).click();
      await expect(page).toHaveTitle('Embed Widget | Markwright');

      const code = page.getByRole('region', { name: 'JavaScript embed code' });
      await page.getByRole('radio', { name: 'Dark' }).check();
      await page.getByRole('radio', { name: 'UV print' }).check();
      await page.getByLabel('Container').fill('designer');
      await page.getByLabel('Height').fill('auto');
      for (const line of [
        "container: 'designer'",
        "theme: 'dark'",
        "mode: 'uv'",
        "height: 'auto'",
        `${baseURL}/embed.js`,
      ]) {
        await expect(code).toContainText(line);
      }
      await page.getByLabel('Width').fill('wide');
      await expect(page.getByRole('alert')).toHaveText('Pixels, like 640, or a CSS length, like 100%.');
      await expect(code).toContainText("width: '100%'");
      await page.getByLabel('Width').fill('640');

      // The clock is stopped, so that only `runFor` lets the notice age.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 3_600_000);
      await page.getByRole('button', { name: 'Copy: JavaScript embed code' }).click();
      await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: 'Copied!' })).toBeAttached();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());
      await page.clock.runFor(1_900);
      await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
      await page.clock.runFor(200);
      await expect(page.getByRole('button', { name: 'Copied!' })).toHaveCount(0);
      await page.clock.resume();

      await expect(page.getByRole('img', { name: /^The widget:/ })).toBeVisible();
      await page.getByRole('button', { name: 'Try the live widget' }).click();
      await expect(page.getByRole('list', { name: 'Events of the widget' })).toContainText('ready');
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });

  test('the code that it and the package tell shops to paste works unchanged', async ({ page, baseURL }) => {
    await standIn(page);
    const codeOf = async (tab: string, name: string) => {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      return (await page.getByRole('region', { name }).textContent())!;
    };
    await page.goto('/embed');
    const [shopify, woo, plain] = [
      await codeOf('Shopify', 'Shopify product page'),
      await codeOf('WordPress', 'WooCommerce product page'),
      await codeOf('JavaScript', 'JavaScript embed code'),
    ];
    const readme = await readFile('packages/embed/README.md', 'utf8');
    const example = /```html\n([\s\S]*?)```/.exec(readme)![1]!.replaceAll('https://studio.example', baseURL!);
    const sell = async () => {
      // A widget loads when it is needed, not with the page.
      await expect(async () => expect(await inWidget(page, 'return typeof say')).toBe('function')).toPass();
      await inWidget(page, `say({ type: 'add-to-cart', ...${JSON.stringify(savedDesign)} })`);
    };

    // Shopify fills in the variant; its cart takes the line.
    const bodies: unknown[] = [];
    await page.route('**/cart/add.js', (route) => {
      bodies.push(route.request().postDataJSON());
      return route.fulfill({ json: { items: [] } });
    });
    shop.serve('/cart', 'The cart');
    await page.goto(
      shop.serve(
        '/product',
        `<script>Shopify = { routes: { root: '/' } }</script>${shopify.replace(/\{\{[^}]+\}\}/, '41')}`,
      ),
    );
    await sell();
    await expect(page).toHaveURL(`${shop.origin}/cart`);
    const properties = { Design: savedDesign.designId, _preview: savedDesign.previewUrl };
    expect(bodies).toEqual([{ items: [{ id: 41, quantity: 2, properties }] }]);

    const form = `<form class="cart" onsubmit="sold = Object.fromEntries(new FormData(this)); return false">
      <input name="design"><input name="quantity" value="1">
      <button class="single_add_to_cart_button" name="add-to-cart" value="9">Add</button></form>`;
    await page.goto(shop.serve('/woo', `${form}${woo}`));
    await sell();
    await expect.poll(() => page.evaluate('window.sold')).toEqual({ design: savedDesign.designId, quantity: '2' });

    await page.goto(shop.serve('/readme', example));
    await sell();
    await expect(page).toHaveTitle(`2 × Mug: ${savedDesign.designId}`);

    const output = page.waitForEvent('console', (message) => message.text().includes(savedDesign.designId));
    await page.goto(shop.serve('/script', plain));
    await sell();
    await output;
  });
});
