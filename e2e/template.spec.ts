/** A template: a maker says what a customer may change, a shop starts a product with it, a customer fills it in. */
import type { Page } from '@playwright/test';
import { newAddress, signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { logoPng } from './pictures.ts';
import {
  addText,
  chooseProduct,
  dropFile,
  element,
  middleOf,
  openStudio,
  stage,
  TUMBLER,
  textElement,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const BOARD = 'Slate Coaster';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'My library' });
const template = (page: Page) => dialog(page).getByRole('list', { name: 'Templates' }).getByRole('listitem');

async function openTemplates(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'My library' }).click();
  await dialog(page).getByRole('radio', { name: 'Templates' }).click();
}

test('a maker opens a name in a design, a shop starts a product with it, a customer changes nothing else', {
  tag: '@detail',
}, async ({ page, request, browser }) => {
  const email = newAddress('shop');
  const owner = await signInAsNew(page, email);
  const settings = await request.put('/api/company/shop', {
    headers: owner.headers,
    data: { checkout: true, defaultPriceCents: 1200 },
  });
  const { key } = await settings.json();

  await test.step('the studio: what is open is said of the text, and the design is kept as a template', async () => {
    await openStudio(page);
    await chooseProduct(page, BOARD);
    await dropFile(page, { name: 'fox logo.png', mimeType: 'image/png', buffer: await logoPng() });
    await waitForTrace(page);
    await addText(page, '{Name}', 'Lobster');
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await inspector.getByText('Customer may change', { exact: true }).click();
    const words = page.getByRole('checkbox', { name: 'Words' });
    await words.check();
    await expect(inspector.getByText('Customer may change: words')).toBeVisible();
    await expectNoFaults(page, 'what a customer may change', '[aria-label="Inspector"]');
    // It is a change like any other.
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(words).not.toBeChecked();
    await page.getByRole('button', { name: 'Redo' }).first().click();
    await expect(words).toBeChecked();

    await openTemplates(page);
    await dialog(page).getByLabel('Name of the template').fill('Name coaster');
    await dialog(page).getByRole('button', { name: 'Save as template' }).click();
    await expect(template(page)).toHaveCount(1);
    await expect(template(page)).toContainText('Name coaster');
    await expect(template(page)).toContainText('1 part to change');
    await expect(template(page).locator('img')).toHaveAttribute('src', /^\/files\/library\/.*webp/);
    await expectNoFaults(page, 'templates', 'dialog');
    await page.keyboard.press('Escape');
  });

  await test.step('used, it takes the place of the design, as one step', async () => {
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(textElement(page)).toHaveCount(0);
    await openTemplates(page);
    await template(page)
      .getByRole('button', { name: /^Use Name coaster/ })
      .click();
    await expect(dialog(page)).toBeHidden();
    await expect(textElement(page).locator('path').first()).toBeAttached();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(textElement(page)).toHaveCount(0);
  });

  await test.step('the shop: its product starts with the template', async () => {
    await page.goto('/profile/shop');
    const section = page.getByRole('region', { name: 'Templates', exact: true });
    await section.getByRole('button', { name: 'Start its product with it' }).click();
    await expect(section.getByRole('listitem')).toContainText('Starts with: Name coaster');
    await expectNoFaults(page, 'products with a template');
  });

  const customer = await (await browser.newContext()).newPage();
  await test.step('the widget: only the name can be changed', async () => {
    await customer.goto(`/widget?shop=${key}`);
    await customer.getByRole('searchbox', { name: 'Search products' }).fill(BOARD);
    await customer.getByRole('button', { name: BOARD }).click();
    await expect(textElement(customer).locator('path').first()).toBeAttached();
    const logo = element(customer, 'design');
    await expect(logo.locator('path').first()).toBeAttached();
    await expect(customer.getByRole('tab', { name: 'Add Text' })).toHaveCount(0);
    await expectNoFaults(customer, 'a product with a template');

    const before = await logo.boundingBox();
    for (const target of [logo, textElement(customer)]) {
      const { x, y } = await middleOf(target);
      await customer.mouse.move(x, y);
      await customer.mouse.down();
      await customer.mouse.move(x + 60, y + 40, { steps: 4 });
      await customer.mouse.up();
      await customer.keyboard.press('Delete');
    }
    await stage(customer).focus();
    await customer.keyboard.press('Control+a');
    await customer.keyboard.press('Delete');
    expect(await logo.boundingBox()).toEqual(before);
    await expect(stage(customer).locator('[data-grip^="rotate"]')).toHaveCount(0);
  });

  await test.step('another visitor is asked before the template takes the place of what they made', async () => {
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`/widget?shop=${key}`);
    const search = visitor.getByRole('searchbox', { name: 'Search products' });
    await search.fill(TUMBLER);
    await visitor.getByRole('button', { name: TUMBLER }).click();
    await visitor.getByRole('tab', { name: 'Add Text' }).click();
    await visitor.getByPlaceholder(/Type a name/).fill('Mine');
    await expect(textElement(visitor).locator('path').first()).toBeAttached();
    const chooseBoard = async () => {
      await visitor.getByRole('button', { name: 'Change product' }).click();
      await search.fill(BOARD);
      await visitor.getByRole('button', { name: BOARD }).click();
    };
    await chooseBoard();
    const question = visitor.getByRole('alertdialog', { name: /^Start over with Slate Coaster/ });
    await expect(question).toContainText('has a design of its own');
    await expect(question.getByRole('button', { name: 'Keep mine' })).toBeFocused();
    await expectNoFaults(visitor, 'the question before a template takes the place');

    await question.getByRole('button', { name: 'Keep mine' }).click();
    await expect(question).toHaveCount(0);
    await expect(textElement(visitor)).toHaveCount(1);

    await chooseBoard();
    await question.getByRole('button', { name: 'Replace it' }).click();
    await expect(visitor.getByText('What you made was replaced.')).toBeVisible();
    await expect(visitor.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible();
    await expectNoFaults(visitor, 'a note that the design was replaced');
    await visitor.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await expect(visitor.getByText('What you made was replaced.')).toHaveCount(0);
    await expect(textElement(visitor)).toHaveCount(1);
    await expect(visitor.getByRole('textbox', { name: 'Name', exact: true })).toHaveCount(0);
    await visitor.context().close();
  });

  await test.step('and is typed, also another one on each piece, and ordered', async () => {
    const bar = customer.getByRole('region', { name: 'Take it along' });
    await customer.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
    await customer.getByRole('button', { name: 'One more' }).click();
    await customer.getByRole('switch', { name: 'Different words on each' }).click();
    await expect(customer.getByLabel('Text, piece 1')).toHaveValue('Ada');
    await customer.getByLabel('Text, piece 2').fill('Grace');
    await bar.getByRole('button', { name: 'Order', exact: true }).click();
    const form = customer
      .getByRole('region')
      .filter({ has: customer.getByRole('button', { name: 'Place order' }) })
      .last();
    await form.getByLabel('Name', { exact: true }).fill('Ida Lund');
    await form.getByLabel('Email').fill(newAddress('ida'));
    await expectNoFaults(customer, 'an order of a template');
    const asItIs = form.getByLabel('Order it as it is');
    await expect(customer.getByText(/look at before|Everything can be made/).first()).toBeAttached();
    if (await asItIs.isVisible()) await asItIs.check();
    await form.getByRole('button', { name: 'Place order' }).click();
    await expect(customer.getByRole('heading', { name: /^Order [\w-]{9} is placed$/ })).toBeVisible();
    const { orders } = await (await request.get('/api/orders', { headers: owner.headers })).json();
    expect(orders).toHaveLength(1);
    const order = await (await request.get(`/api/orders/${orders[0].id}`, { headers: owner.headers })).json();
    expect(order.made.pieces.map(({ words }: { words: object }) => words)).toEqual([
      { Text: 'Ada' },
      { Text: 'Grace' },
    ]);
  });

  await customer.context().close();
});
