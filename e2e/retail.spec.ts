/** One order from a shop's page to the machine: designed, in the cart, changed, ordered, approved, accepted, made. */
import { readFile } from 'node:fs/promises';
import type { APIRequestContext } from '@playwright/test';
import { mailedLink, signIn, signUp, takePlan } from './accounts.ts';
import { readProductionFile, unite } from './productionFile.ts';
import { openShopSite, type ShopSite } from './shopSite.ts';
import { expect, test } from './test.ts';

const TUMBLER = 'tumbler-20oz-black';
const UNIT_PRICE_CENTS = 3_200;

let site: ShopSite;
test.beforeAll(async () => {
  site = await openShopSite();
});
test.afterAll(() => site.close());

/** Unlists the test's maker afterward: it would be the nearest maker in other tests. */
let unlist: (() => Promise<unknown>) | undefined;
test.afterEach(() => unlist?.());

/** Opens a shop that sells in euros and gives orders to the nearest maker, and a maker of that town. */
async function openShop(request: APIRequestContext) {
  const [owner, maker] = [await signUp(request), await signUp(request)];
  const [town] = await (await request.get('/api/places?q=Lyon')).json();
  const list = (isListed: boolean) =>
    request.put('/api/maker', {
      headers: maker.headers,
      data: {
        name: 'Laser Presqu’île',
        about: 'Engraves steel and wood by the river.',
        placeId: town.id,
        machines: ['laser'],
        materials: ['stainless'],
        delivery: 'country',
        turnaroundDays: 5,
        isListed,
      },
    });
  unlist = () => list(false);
  const reply = await list(true);
  expect(reply.status(), await reply.text()).toBe(200);
  const { name, region, country, lat, lon } = town;
  const settings = await request.put('/api/company/shop', {
    headers: owner.headers,
    data: {
      allowedOrigins: [site.origin],
      checkout: true,
      routing: 'nearest',
      payer: 'shop',
      currency: 'EUR',
      defaultPriceCents: UNIT_PRICE_CENTS,
      place: { name, region, country, lat, lon },
    },
  });
  expect(settings.status(), await settings.text()).toBe(200);
  await takePlan(request, owner, 'starter');
  return { owner, maker, key: (await settings.json()).key as string };
}

interface Sale {
  readonly designId: string;
  readonly previewUrl: string;
  readonly line: { readonly quantity: number; readonly currency: string; readonly totalCents: number };
}

test('a shopper designs in a shop, changes the line, orders; the maker gets a file at true size', async ({
  page,
  request,
  baseURL,
  browser,
}) => {
  const { owner, maker, key } = await openShop(request);
  const customer = 'nora@example.com';

  // The shop's page: a cart that shows what it was told, and an edit link with the design's number.
  const url = site.serve(
    '/tumbler',
    `<h1>Tumbler</h1><div id="designer" style="min-height:720px"></div><ul id="cart"></ul>
     <script src="${baseURL}/embed.js"></script>
     <script>
       sold = []; changes = [];
       widget = Markwright.mount({
         container: 'designer', shop: '${key}', product: '${TUMBLER}', theme: 'light', height: 'auto',
         design: new URLSearchParams(location.search).get('design') || undefined,
         onChange: (event) => changes.push(event),
         onAddToCart: (event) => {
           sold.push(event);
           cart.insertAdjacentHTML('beforeend',
             '<li><img src="' + event.previewUrl + '" width="80"> <a href="?design=' + event.designId + '">Edit</a></li>');
         },
       });
     </script>`,
  );
  const inside = page.frameLocator('iframe[data-markwright]');
  const lastSold = async (count: number): Promise<Sale> => {
    // The server draws the piece first, which takes a busy machine its time.
    await expect.poll(() => page.evaluate('sold.length'), { timeout: 300_000 }).toBe(count);
    return page.evaluate<Sale>('sold.at(-1)');
  };

  await page.goto(url);
  await inside.getByRole('tab', { name: 'Add Text' }).click();
  await inside.getByPlaceholder(/Type a name/).fill('Nora');
  await expect(inside.locator('[data-element^="text:"] path').first()).toBeAttached();
  await inside.getByRole('button', { name: 'One more' }).click();
  await inside.getByRole('button', { name: 'Add to cart' }).click();
  const first = await lastSold(1);
  expect(first.line).toMatchObject({
    quantity: 2,
    currency: 'EUR',
    unitPriceCents: UNIT_PRICE_CENTS,
    totalCents: 2 * UNIT_PRICE_CENTS,
  });
  await expect
    .poll(() => page.evaluate('changes.at(-1)'))
    .toMatchObject({ productId: TUMBLER, machine: 'laser', hasDesign: false, textCount: 1 });
  // The picture is shown by a page of another site, and the line can be read again by the shop's server.
  await expect
    .poll(() => page.locator('#cart img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect((await (await request.get(`/api/widget/designs/${first.designId}`)).json()).line).toEqual(first.line);
  expect(JSON.stringify(first)).not.toContain('<svg');

  // Changed from the cart on a page that was loaded again: a second design; the first one stays as it was.
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect.poll(() => page.evaluate('changes.at(-1)?.textCount')).toBe(1);
  await inside.getByRole('tab', { name: 'Add Text' }).click();
  await inside.getByPlaceholder(/Type a name/).fill('Nora & Finn');
  await inside.getByRole('button', { name: 'Add to cart' }).click();
  const second = await lastSold(1);
  expect(second.designId).not.toBe(first.designId);
  expect((await (await request.get(`/api/widget/designs/${first.designId}`)).json()).line).toEqual(first.line);

  // Ordered in the widget, without an account.
  await inside.getByRole('button', { name: 'Order', exact: true }).click();
  await inside.getByLabel('Name', { exact: true }).fill('Nora Lind');
  await inside.getByLabel('Email').fill(customer);
  await inside.getByLabel('Address to send it to').fill('1 rue Mercière, Lyon');
  await inside.getByRole('button', { name: 'Place order' }).click();
  await expect(inside.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}/).first()).toBeVisible();

  // The customer approves the proof by the link of the mail; shop and maker have mail, too.
  await mailedLink(request, owner.email, /^Order .* came in/);
  const orderLink = await mailedLink(request, maker.email, /^New order/);
  await page.goto(await mailedLink(request, customer, /please look at the proof/));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('20 oz Skinny Tumbler');
  await expect(page.getByText('“Nora & Finn”')).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved', { exact: true })).toBeVisible();

  // The maker accepts and takes the file, charged to the shop.
  const workshop = await (await browser.newContext({ acceptDownloads: true })).newPage();
  await signIn(workshop, maker);
  await workshop.goto(orderLink);
  await workshop.getByRole('button', { name: 'Accept' }).click();
  await expect(workshop.getByText('Nora Lind')).toBeVisible();
  const download = workshop.waitForEvent('download', { timeout: 300_000 });
  await workshop.getByRole('button', { name: 'Production file' }).click();
  const svg = await readFile(await (await download).path(), 'utf8');
  const file = await readProductionFile(workshop, svg);
  expect(file.parseError).toBeUndefined();
  expect([file.width, file.height]).toEqual(['55.88mm', '139.7mm']);
  expect(file.tags).not.toContain('text');
  const words = unite(file.paths.map(({ box }) => box));
  expect(words.width).toBeGreaterThan(5);
  expect(file.paths.every(({ subpaths, closed }) => subpaths === closed)).toBe(true);
  // The page that goes with it leads back to the order, and shares the charge.
  const sheet = workshop.waitForEvent('download', { timeout: 300_000 });
  await workshop.getByRole('button', { name: 'Job sheet' }).click();
  expect((await sheet).suggestedFilename()).toMatch(/^[\w-]{9}_.+_job-sheet\.pdf$/);
  expect((await readFile(await (await sheet).path())).subarray(0, 5).toString()).toBe('%PDF-');
  const { vectorsUsed } = await (await request.get('/api/users/stats', { headers: owner.headers })).json();
  expect(vectorsUsed).toBe(1);
  await workshop.getByRole('button', { name: 'Mark as made' }).click();
  await workshop.getByRole('button', { name: 'Mark as sent' }).click();
  await workshop.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).click();
  await mailedLink(request, customer, /is on its way/);
  await workshop.context().close();
});
