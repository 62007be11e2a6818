/** Guides for common shop systems, and their limits. */
import { Tabs } from '@markwright/controls';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { type EmbedOptions, frameCode, scriptCode, shopifyCode, shopifyEditCode, wooCommerceCode } from './code.ts';

const platforms = ['Shopify', 'Etsy', 'WordPress', 'Wix', 'Squarespace'] as const;
type Platform = (typeof platforms)[number];

export function Guides({ options }: { options: EmbedOptions }) {
  const [platform, setPlatform] = useState<Platform>('Shopify');
  return (
    <section aria-labelledby="embed-guides" className="mt-20">
      <h2 id="embed-guides" className="text-xl sm:text-2xl">
        Where to put it
      </h2>
      <Tabs<Platform>
        label="Shop platforms"
        value={platform}
        onChange={setPlatform}
        className="mt-3"
        tabs={platforms.map((platform) => ({
          value: platform,
          label: platform,
          content: <Guide {...guides[platform](options)} />,
        }))}
      />
    </section>
  );
}

interface GuideText {
  /** The limits of the shop system, in one line. */
  readonly summary: string;
  /** True when the shop system lets nothing be embedded. */
  readonly isForbidden?: boolean;
  readonly steps: readonly ReactNode[];
  readonly codes: readonly { readonly name: string; readonly code: string }[];
  readonly limits: readonly ReactNode[];
}

function Guide({ summary, isForbidden, steps, codes, limits }: GuideText) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 pt-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div>
        <p className={`border-l-2 pl-3 font-medium ${isForbidden ? 'border-danger' : 'border-success'}`}>{summary}</p>
        <ol className="mt-5 grid gap-3">
          {steps.map((step, index) => (
            <li key={index} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3">
              <span className="measure pt-0.5 text-graphite">{index + 1}</span>
              <span className="max-w-[60ch]">{step}</span>
            </li>
          ))}
        </ol>
        <h3 className="mt-7 font-medium">What to know</h3>
        <ul className="mt-2 grid max-w-[62ch] list-disc gap-2 pl-4 text-graphite">
          {limits.map((limit, index) => (
            <li key={index}>{limit}</li>
          ))}
        </ul>
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
        {codes.map(({ name, code }) => (
          <CodeBlock key={name} name={name} code={code} />
        ))}
      </div>
    </div>
  );
}

const guides: Record<Platform, (options: EmbedOptions) => GuideText> = {
  Shopify: (options) => ({
    summary: 'Works, with your own Shopify cart.',
    steps: [
      <>
        In the admin open <b>Online Store</b>, <b>Themes</b>, <b>Customize</b>, and choose your product template at the
        top.
      </>,
      <>
        Choose <b>Add section</b>, then <b>Custom Liquid</b>, and paste the code for the product page.
      </>,
      <>
        For an edit link in the cart, choose <b>Edit code</b> in the theme’s menu and paste the second piece into the
        cart’s template, inside the loop over its items.
      </>,
      'Save, open a product, design something and add it. The design number stands under the line in the cart and in the order.',
    ],
    codes: [
      { name: 'Shopify product page', code: shopifyCode(location.origin, options) },
      { name: 'Shopify cart line', code: shopifyEditCode },
    ],
    limits: [
      'Shopify charges the price of its own variant. Set the same price in your profile, so that the widget shows it too.',
      'Shoppers can choose another product in the widget. Set the product of the page in the code above.',
      'A property whose name begins with an underscore, such as _preview, is not shown at checkout. The order has it.',
    ],
  }),
  Etsy: () => ({
    summary: 'Not possible: Etsy takes no iFrame, no script and no HTML in a listing.',
    isForbidden: true,
    steps: [
      'Draw the product in the studio and use the mockup as a picture of your listing.',
      <>
        Turn on <b>Personalization</b> in the listing and ask there for the words to put on it.
      </>,
      'After the order, put these words on the product in the studio and send the mockup as a proof through Etsy’s messages.',
      'When it is approved, export the production file.',
    ],
    codes: [],
    limits: [
      'A listing’s text is plain text; pictures and a video are all that goes with it.',
      'Do not lead buyers from a listing to a page where they can buy: Etsy’s rules call it fee avoidance.',
    ],
  }),
  WordPress: (options) => ({
    summary: 'Works on your own WordPress. WordPress.com needs a plan that lets you install plugins.',
    steps: [
      <>
        Edit the page or product, add a <b>Custom HTML</b> block, and paste the JavaScript code from the top of this
        page.
      </>,
      'Publish, and look at the page itself: the editor’s own preview may not run scripts.',
      'With WooCommerce: give the product a text field with a product-options plugin, and paste the code on this page instead. It writes the design number into that field and presses Add to cart.',
    ],
    codes: [
      { name: 'WordPress page', code: scriptCode(location.origin, options) },
      { name: 'WooCommerce product page', code: wooCommerceCode(location.origin, options) },
    ],
    limits: [
      'Scripts and iFrames are kept only for people who may write unfiltered HTML: administrators and editors, in a network of sites the super admin alone. Others see their code removed on saving.',
      'Plans of WordPress.com without plugins remove both.',
      'WooCommerce charges the price of its own product.',
    ],
  }),
  Wix: (options) => ({
    summary: 'Works as a frame: shoppers order in the widget, not in Wix’s cart.',
    steps: [
      <>
        In the editor choose <b>Add Elements</b>, <b>Embed Code</b>, <b>Embed HTML</b>.
      </>,
      <>
        Choose <b>Code</b>, paste the iFrame code, and drag the element as large as the widget is to be.
      </>,
      'Turn on “Take orders” in your profile, so that shoppers order in the widget.',
      'Publish and try it on the published page, on a phone as well.',
    ],
    codes: [{ name: 'Wix Embed HTML', code: frameCode(location.origin, options) }],
    limits: [
      'Wix puts your code into a frame of its own, on another address. If your profile names the pages that may show the widget, name both: your site’s address, and the frame’s, which the browser’s developer tools show.',
      'Code in that frame cannot reach your page, so it cannot add to Wix’s cart.',
      'Wix embeds only what is served by https.',
    ],
  }),
  Squarespace: (options) => ({
    summary: 'Works on plans with code: Core, Plus and Advanced, or the older Business and Commerce.',
    steps: [
      <>
        Edit the page, add a <b>Code</b> block, choose <b>HTML</b>, and paste the code.
      </>,
      'Save, and look at the page in a private window: while you are signed in, Squarespace holds scripts back.',
      'Turn on “Take orders” in your profile, so that shoppers order in the widget.',
    ],
    codes: [{ name: 'Squarespace code block', code: frameCode(location.origin, options) }],
    limits: [
      'On the Basic and the older Personal plan a code block takes no scripts and no iFrames.',
      'Squarespace documents no way for a page’s code to put a line with a design number into its cart.',
    ],
  }),
};
