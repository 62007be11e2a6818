import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Product, ShopSettings } from '@markwright/contract/schemas';
import { Field, SegmentedControl, Select, TextInput } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from '../../navigation.tsx';
import { finderOf, shownProducts } from '../../products/shownProducts.ts';
import { messageOf } from '../../request.ts';
import type { Session } from '../../session.tsx';
import { WithLabel } from '../../ui/WithLabel.tsx';
import type { EmbedOptions } from './code.ts';

interface Props {
  readonly session: Session;
  readonly kind: 'frame' | 'script';
  readonly options: EmbedOptions;
  readonly problems: Record<'container' | 'width' | 'height', string | undefined>;
  onChange(options: EmbedOptions): void;
}

const themes = [
  { value: 'auto', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

const modes = [
  { value: 'laser', label: 'Laser' },
  { value: 'uv', label: 'UV print' },
  { value: 'sublimation', label: 'Sublimation' },
] as const;

/** The options that the code, the preview and the guides use. */
export function OptionsForm({ session, kind, options, problems, onChange }: Props) {
  const set = (change: Partial<EmbedOptions>) => onChange({ ...options, ...change });
  const text = (name: 'container' | 'width' | 'height', label: string, hint: string) => (
    <Field label={label} hint={hint} error={problems[name]}>
      {(control) => (
        <TextInput
          {...control}
          value={options[name]}
          onChange={(event) => set({ [name]: event.target.value.trim() })}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={64}
          className="font-mono text-sm"
        />
      )}
    </Field>
  );
  return (
    <section aria-labelledby="embed-settings" className="grid gap-5 lg:sticky lg:top-20">
      <h2 id="embed-settings" className="text-xl">
        Your widget
      </h2>
      <WithLabel label="Theme">
        <SegmentedControl label="Theme" value={options.theme} options={themes} onChange={(theme) => set({ theme })} />
      </WithLabel>
      <WithLabel label="Machine it begins with">
        <SegmentedControl
          label="Machine it begins with"
          value={options.mode}
          options={modes}
          onChange={(mode) => set({ mode })}
        />
      </WithLabel>
      <ProductChoice options={options} onChange={set} />
      <div className="grid grid-cols-2 gap-3">
        {text('width', 'Width', 'Pixels or CSS')}
        {text('height', 'Height', kind === 'script' ? 'Pixels, CSS or auto' : 'Pixels or CSS')}
      </div>
      {kind === 'script' && text('container', 'Container', 'Id of the element for it')}
      <Shop session={session} shop={options.shop} onChange={(shop) => set({ shop })} />
    </section>
  );
}

const ANY = '';

function ProductChoice({
  options,
  onChange,
}: {
  options: EmbedOptions;
  onChange(change: Partial<EmbedOptions>): void;
}) {
  const client = useQueryClient();
  const { data = [] } = useQuery(shownProducts(client));
  const fit = data.filter(({ machines }) => machines.includes(options.mode));
  const productId = fit.some(({ productId }) => productId === options.product) ? options.product : ANY;
  // Removes a product from the code when the machine cannot mark it. A large catalogue is not here as a whole.
  const isOut = options.product !== productId && data.length > 0 && !finderOf(client);
  useEffect(() => {
    if (isOut) onChange({ product: ANY });
  }, [isOut, onChange]);
  const categories = [...new Set(fit.map(({ category }) => category))];
  const toOption = ({ productId, name }: Product) => ({ value: productId, label: name });
  return (
    <WithLabel label="Product it begins with">
      <Select
        label="Product it begins with"
        value={productId}
        onChange={(product) => onChange({ product })}
        className="h-9 w-full"
        options={[
          { value: ANY, label: 'The shopper chooses' },
          ...categories.map((label) => ({
            label,
            options: fit.filter(({ category }) => category === label).map(toOption),
          })),
        ]}
      />
    </WithLabel>
  );
}

/** Puts the key of the signed-in person's shop into the code. */
function Shop({ session, shop, onChange }: { session: Session; shop: string; onChange(key: string): void }) {
  const settings = useQuery<ShopSettings>({
    queryKey: [siteCalls.shop.settings.path],
    enabled: session.status === 'user',
  });
  const key = session.status === 'user' ? (settings.data?.key ?? '') : '';
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  useEffect(() => {
    if (key !== shop) latestOnChange.current(key);
  }, [key, shop]);

  return (
    <div className="border-line border-t pt-4">
      <h3 className="font-medium text-graphite text-xs">Shop</h3>
      {session.status === 'guest' && (
        <p className="mt-1">
          This code shows the base products without prices.{' '}
          <Link to="/auth" search={{ next: '/embed' }} className="underline underline-offset-4">
            Sign in
          </Link>{' '}
          to put your shop’s key into it: then it shows your products and prices, and takes orders.
        </p>
      )}
      {settings.isError && (
        <p role="alert" className="mt-1 text-danger">
          Your shop’s key could not be read. {messageOf(settings.error)}
        </p>
      )}
      {settings.data && <ShopFacts settings={settings.data} />}
    </div>
  );
}

function ShopFacts({ settings: { key, allowedOrigins, checkout } }: { settings: ShopSettings }) {
  return (
    <>
      <p className="mt-1 font-mono text-sm [overflow-wrap:anywhere]">{key}</p>
      <p className="mt-2 text-graphite text-sm">
        {allowedOrigins.length === 0
          ? 'Any page may show it. Name your shop’s address in your profile, and no other page can.'
          : `Only ${listOf(allowedOrigins)} may show it.`}{' '}
        {checkout ? 'Shoppers can order in the widget.' : 'Ordering in the widget is off.'}{' '}
        <Link to="/profile/shop" className="text-ink underline underline-offset-4">
          Change this in your profile
        </Link>
        .
      </p>
    </>
  );
}

const listOf = (origins: readonly string[]): string =>
  new Intl.ListFormat('en').format(origins.map((origin) => origin.replace('https://', '')));
