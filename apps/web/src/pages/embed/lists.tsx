/** Tables of the widget's options, events and methods. */
import { useId } from 'react';

type Row = readonly [name: string, type: string, standard: string, meaning: string];

const frameOptions: readonly Row[] = [
  ['width', 'pixels or %', '100%', 'The width of the frame. The widget needs 320 pixels.'],
  ['height', 'pixels or %', '720', 'The height. Without the script, a frame cannot follow its content.'],
  ['frameborder', '0 or 1', '0', 'A border around the frame. Old browsers draw one unless this is 0.'],
  ['style', 'CSS', 'border:0; max-width:100%', 'Any other CSS, such as a height in vh.'],
];

const scriptOptions: readonly Row[] = [
  ['container', 'id or element', 'required', 'The target element on your page.'],
  ['shop', 'text', 'none', 'Your shop’s key. Without one: all base products, no prices.'],
  ['theme', "'light', 'dark', 'auto'", "'auto'", 'auto follows the shopper’s device.'],
  ['mode', "'laser', 'uv', 'sublimation'", "'laser'", 'The machine that is selected first.'],
  ['product', 'text', 'none', 'The id of the product that is shown first.'],
  ['design', 'text', 'none', 'A saved design to open: the designId that your cart stored.'],
  ['width', 'pixels or CSS length', "'100%'", 'The width of the widget.'],
  ['height', "pixels, CSS length or 'auto'", '720', 'auto follows the content, and reserves 720 until it has loaded.'],
  ['onReady, onChange, …', 'function', 'none', 'A handler for each event, as with on(event, handler).'],
];

const events = [
  ['ready', 'The widget has loaded.', ''],
  ['add-to-cart', 'The shopper added the design to the cart.', '{ designId, previewUrl, line }'],
  [
    'change',
    'The product, the machine or the design changed.',
    '{ productId, productName, machine, hasDesign, textCount }',
  ],
  ['resize', 'The height of its content changed.', '{ height }'],
  ['error', 'The shopper saw an error.', '{ message }'],
] as const;

const methods = [
  ['save()', 'Saves the design. Resolves with { designId, previewUrl, line }.'],
  ['open(designId)', 'Opens a saved design, to change a line in the cart.'],
  ['setTheme(theme)', 'Changes the theme, for example with that of your page.'],
  ['on(event, handler)', 'Adds a handler. Returns a function that removes it.'],
  ['destroy()', 'Removes the widget and its handlers from the page.'],
  ['frame', 'The iframe element.'],
] as const;

export const FrameOptions = () => <OptionTable label="iFrame options" rows={frameOptions} />;

export const ScriptOptions = () => (
  <>
    <p className="mt-2 max-w-[70ch] text-graphite">
      For TypeScript there is{' '}
      <a href="/embed.d.ts" download="markwright.d.ts" className="text-ink underline underline-offset-4">
        a file of types
      </a>
      : save it beside your code.
    </p>
    <OptionTable label="JavaScript options" rows={scriptOptions} />
  </>
);

/** Four columns where there is room; on a phone each option is a small block. */
function OptionTable({ label, rows }: { label: string; rows: readonly Row[] }) {
  const cell = 'block md:table-cell md:border-line md:border-t md:py-2.5 md:pr-6 align-top';
  return (
    <table aria-label={label} className="mt-4 block w-full border-collapse text-left md:table">
      <thead className="hidden md:table-header-group">
        <tr className="caption text-graphite">
          {['Name', 'Type', 'Default', 'Meaning'].map((name) => (
            <th key={name} scope="col" className="pr-6 pb-2 font-normal">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {rows.map(([name, type, standard, meaning]) => (
          <tr key={name} className="block border-line border-t py-3 md:table-row md:border-0 md:py-0">
            <th scope="row" className={`${cell} font-medium font-mono text-sm`}>
              {name}
            </th>
            <td className={`${cell} font-mono text-graphite text-sm`}>{type}</td>
            <td className={`${cell} font-mono text-graphite text-sm`}>
              <span className="font-sans md:hidden">Default: </span>
              {standard}
            </td>
            <td className={`${cell} mt-1 md:mt-0`}>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Events() {
  return (
    <Definitions
      title="Events"
      rows={events.map(([name, meaning, fields]) => [
        name,
        <>
          {meaning}
          {fields && <span className="mt-0.5 block font-mono text-graphite text-xs leading-4">{fields}</span>}
        </>,
      ])}
    >
      <code className="font-mono text-sm">line</code> holds productName, machine, quantity, currency, unitPriceCents and
      totalCents, and pieces where each has words of its own. Anybody can change what a browser sends: before you
      charge, let your server read{' '}
      <code className="font-mono [overflow-wrap:anywhere]">/api/widget/designs/designId</code>, which gives the line as
      it was saved.
    </Definitions>
  );
}

export function Methods() {
  return (
    <Definitions title="Methods of the widget" rows={methods}>
      save and open wait until the widget has loaded. Their errors have a message that you can show.
    </Definitions>
  );
}

interface DefinitionsProps {
  readonly title: string;
  readonly rows: readonly (readonly [string, React.ReactNode])[];
  readonly children: React.ReactNode;
}

function Definitions({ title, rows, children }: DefinitionsProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-lg">
        {title}
      </h3>
      <dl className="mt-3">
        {rows.map(([name, meaning]) => (
          <div key={name} className="grid gap-x-6 border-line border-t py-2.5 sm:grid-cols-[170px_minmax(0,1fr)]">
            <dt className="font-medium font-mono text-sm">{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="border-line border-t pt-3 text-graphite text-sm">{children}</p>
    </section>
  );
}
