/** Writes the code that a shop pastes into its page, from the options that the visitor chose. */
import type { MachineMode, Theme } from '@markwright/embed';

/** The machines that the page offers to begin with. A widget has DTF only when its shop offers transfers. */
export type FirstMachine = Exclude<MachineMode, 'dtf'>;

export interface EmbedOptions {
  readonly theme: Theme;
  readonly mode: FirstMachine;
  /** Id of the element on the shop's page. */
  readonly container: string;
  /** Pixels ("720"), or a CSS length ("100%"). */
  readonly width: string;
  readonly height: string;
  /** The key of the shop; empty for a widget without a shop. */
  readonly shop: string;
  /** The id of the first product; empty when the shopper chooses. */
  readonly product: string;
}

export const defaultOptions: EmbedOptions = {
  theme: 'auto',
  mode: 'laser',
  container: 'markwright',
  width: '100%',
  height: '720',
  shop: '',
  product: '',
};

/** Return what is wrong with an option, as a sentence; undefined when the option is valid. */
export const optionProblems = {
  container: (id: string) =>
    /^[A-Za-z][\w-]{0,63}$/.test(id) ? undefined : 'Begin with a letter; then letters, digits, - and _.',
  width: (length: string) => (isLength(length) ? undefined : 'Pixels, like 640, or a CSS length, like 100%.'),
  height: (length: string, isScript: boolean) => {
    if (isScript && length === 'auto') return undefined;
    return isLength(length) ? undefined : `Pixels, like 720${isScript ? ', or auto' : ', or a CSS length'}.`;
  },
};

const isLength = (text: string): boolean =>
  /^\d{1,5}(\.\d{1,2})?(px|%|r?em|[sdl]?v[wh])?$/.test(text) && Number.parseFloat(text) > 0;

/** Returns the address for a frame that is embedded without the loader. */
function widgetUrl(origin: string, { shop, theme, mode, product }: EmbedOptions): string {
  const query = new URLSearchParams();
  if (shop) query.set('shop', shop);
  query.set('theme', theme);
  query.set('mode', mode);
  if (product) query.set('product', product);
  return `${origin}/widget?${query}`;
}

export function frameCode(origin: string, options: EmbedOptions): string {
  const { width, height } = options;
  const asAttribute = (length: string): string => length.replace(/px$/, '');
  const fits = /^[\d.]+(px|%)?$/;
  // Pixels and percentages become attributes. HTML attributes take no other units, so those become style.
  const style = [
    'border:0',
    'max-width:100%',
    ...(fits.test(width) ? [] : [`width:${width}`]),
    ...(fits.test(height) ? [] : [`height:${height}`]),
  ];
  return [
    '<iframe',
    `  src="${escapeAttribute(widgetUrl(origin, options))}"`,
    '  title="Design your product"',
    `  width="${fits.test(width) ? asAttribute(width) : '100%'}"`,
    `  height="${fits.test(height) ? asAttribute(height) : '720'}"`,
    '  frameborder="0"',
    `  style="${style.join(';')}"`,
    '  loading="lazy"',
    '></iframe>',
  ].join('\n');
}

export function scriptCode(origin: string, options: EmbedOptions): string {
  return withLoader(origin, options, [
    'onAddToCart: ({ designId, previewUrl, line }) => {',
    '  // Put these three into your cart. designId opens the design again.',
    '  console.log(designId, previewUrl, line.quantity, line.totalCents);',
    '},',
  ]);
}

/** Writes code for a Custom Liquid block of the product template. Shopify fills in the variant of the product. */
export function shopifyCode(origin: string, options: EmbedOptions): string {
  return withLoader(origin, options, [
    "design: new URLSearchParams(location.search).get('design') || undefined,",
    'onAddToCart: async ({ designId, previewUrl, line }) => {',
    "  const answer = await fetch(window.Shopify.routes.root + 'cart/add.js', {",
    "    method: 'POST',",
    "    headers: { 'content-type': 'application/json' },",
    '    body: JSON.stringify({',
    '      items: [{',
    '        id: {{ product.selected_or_first_available_variant.id }},',
    '        quantity: line.quantity,',
    '        properties: { Design: designId, _preview: previewUrl },',
    '      }],',
    '    }),',
    '  });',
    "  if (answer.ok) location.href = window.Shopify.routes.root + 'cart';",
    "  else alert('This could not be added to the cart. Please try again.');",
    '},',
  ]);
}

/** Writes code for the cart's template, inside `{% for item in cart.items %}`. */
export const shopifyEditCode = [
  '{% if item.properties.Design %}',
  '  <img src="{{ item.properties._preview }}" alt="" width="96">',
  '  <a href="{{ item.product.url }}?design={{ item.properties.Design }}">Edit the design</a>',
  '{% endif %}',
].join('\n');

/** Writes code for a WooCommerce product page with a text field of a product-options plugin. */
export function wooCommerceCode(origin: string, options: EmbedOptions): string {
  return withLoader(origin, options, [
    'onAddToCart: ({ designId, line }) => {',
    "  const cart = document.querySelector('form.cart');",
    '  // The name your product-options plugin gave the text field.',
    `  cart.querySelector('[name="design"]').value = designId;`,
    `  const quantity = cart.querySelector('[name="quantity"]');`,
    '  if (quantity) quantity.value = line.quantity;',
    "  cart.querySelector('.single_add_to_cart_button').click();",
    '},',
  ]);
}

/** Writes the container, the loader, and one call of `mount` whose options end with `rest`. */
function withLoader(origin: string, options: EmbedOptions, rest: readonly string[]): string {
  const { container, shop, theme, mode, product, width, height } = options;
  const optionLines = [
    `container: ${quote(container)},`,
    ...(shop ? [`shop: ${quote(shop)},`] : []),
    `theme: ${quote(theme)},`,
    `mode: ${quote(mode)},`,
    ...(product ? [`product: ${quote(product)},`] : []),
    `width: ${asValue(width)},`,
    `height: ${asValue(height)},`,
  ];
  const minHeight = height === 'auto' ? '720px' : /^[\d.]+$/.test(height) ? `${height}px` : height;
  return [
    `<div id="${escapeAttribute(container)}" style="min-height:${minHeight}"></div>`,
    `<script src="${escapeAttribute(origin)}/embed.js"></script>`,
    '<script>',
    '  Markwright.mount({',
    ...[...optionLines, ...rest].map((line) => `    ${line}`),
    '  });',
    '</script>',
  ].join('\n');
}

/** Writes a length as a number where it is one, otherwise as a string. */
const asValue = (length: string): string => (/^[\d.]+$/.test(length) ? String(Number(length)) : quote(length));
const quote = (text: string): string => `'${text.replace(/[\\'<]/g, (character) => `\\x${hex(character)}`)}'`;
const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');
const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
