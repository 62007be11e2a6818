/** The shop's settings for selling: orders, prices, makers, pages with the widget, webhook. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { ShopChange, ShopSettings } from '@markwright/contract/schemas';
import { CURRENCIES } from '@markwright/contract/words';
import { Button, Field, SegmentedControl, TextArea, TextInput } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { api } from '../../../api.ts';
import { searchTowns } from '../../../makers/searchTowns.ts';
import { TownField } from '../../../makers/TownField.tsx';
import { messageOf } from '../../../request.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatMoney, readMoney } from '../../../ui/money.ts';
import { toast } from '../../../ui/notices.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { SwitchLine } from '../../../ui/SwitchLine.tsx';
import { CopyText, Webhook } from './Webhook.tsx';

export type ShopDraft = Partial<ShopSettings>;

interface Props {
  readonly savedSettings: ShopSettings;
  /** The unsaved changes. */
  readonly draft: ShopDraft;
  onChange(draft: ShopDraft): void;
  /** Called with the settings that the server has stored. */
  onSaved(settings: ShopSettings): void;
}

/** Returns the fields of a draft that differ from the saved settings. */
export function changesOf(settings: ShopSettings, draft: ShopDraft): ShopChange {
  const entries = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(settings[name as keyof ShopSettings]),
  );
  return Object.fromEntries(entries) as ShopChange;
}

export function Selling({ savedSettings, draft, onChange, onSaved }: Props) {
  const shop: ShopSettings = { ...savedSettings, ...draft };
  const set = (change: ShopDraft) => onChange({ ...draft, ...change });
  return (
    <div className="grid">
      <Part title="Orders" text="Every customer approves a proof before anything is made.">
        <SwitchLine
          label="Take orders"
          text={shop.checkout ? 'Customers can order in the widget.' : 'The widget only adds to your own cart.'}
          checked={shop.checkout}
          onChange={(checkout) => set({ checkout })}
        />
        <SwitchLine
          label="Offer DTF transfers"
          text={
            shop.offersDtf
              ? 'Customers choose among laser, UV, sublimation and DTF.'
              : 'Customers choose among laser, UV and sublimation.'
          }
          checked={shop.offersDtf}
          onChange={(offersDtf) => set({ offersDtf })}
        />
      </Part>
      <Part title="Prices" text="For one piece, in your currency. Without a price, you agree on it by mail.">
        <Prices shop={shop} set={set} />
      </Part>
      <Part title="Who makes it" text="Where an order goes first.">
        <Routing shop={shop} set={set} />
      </Part>
      <Part title="Your pages" text="Where the widget may be shown.">
        <Pages shop={shop} set={set} />
        <EmbedKey shop={savedSettings} onSaved={onSaved} />
      </Part>
      <Part
        title="Webhook"
        text="Sends every order to your own server, signed. A delivery that fails is tried again for a day."
      >
        <Webhook shop={shop} isSaved={shop.webhookUrl === savedSettings.webhookUrl} set={set} />
      </Part>
    </div>
  );
}

type SetProps = { readonly shop: ShopSettings; set(change: ShopDraft): void };

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="-mx-5 border-line px-5 py-5 not-first:border-t first:pt-2">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      <p className="text-graphite">{text}</p>
      <div className="mt-3 grid gap-4">{children}</div>
    </section>
  );
}

const MAX_ROWS = 60;

function Prices({ shop, set }: SetProps) {
  const offers = useQuery({
    queryKey: [siteCalls.widget.products.path, shop.key],
    queryFn: ({ signal }) => api.widget.products({ query: { shop: shop.key } }, { signal }),
    refetchOnMount: 'always',
  });
  const products = offers.data ?? [];
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const matches = products.filter(({ name, category }) => `${name} ${category}`.toLowerCase().includes(words));
  const own = Object.keys(shop.prices).length;
  function setPrice(productId: string, cents: number | null) {
    const { [productId]: _before, ...prices } = shop.prices;
    set({ prices: cents === null ? prices : { ...prices, [productId]: cents } });
  }
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <SelectField
          label="Currency"
          value={shop.currency}
          options={CURRENCIES.map((value) => ({ value, label: value }))}
          onChange={(currency) => set({ currency })}
          className="w-28"
          selectClassName="h-9 w-full pointer-coarse:h-11"
        />
        <PriceField
          label="Price of every product"
          cents={shop.defaultPriceCents}
          placeholder="By mail"
          onChange={(defaultPriceCents) => set({ defaultPriceCents })}
        />
      </div>
      <details className="group rounded-control border border-line">
        <summary className="flex min-h-10 cursor-pointer items-center justify-between gap-3 px-3 marker:content-['']">
          <span>Prices of their own</span>
          <span className="measure text-graphite">{own === 0 ? 'none' : own}</span>
        </summary>
        <div className="border-line border-t px-3 pt-3">
          <TextInput
            type="search"
            aria-label="Search products"
            placeholder="Search products"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <ul aria-label="Prices of products" className="mt-2 max-h-80 overflow-y-auto [scrollbar-width:thin]">
            {matches.slice(0, MAX_ROWS).map(({ productId, name, category }) => (
              <li key={productId} className="flex items-center gap-3 border-line py-1.5 not-first:border-t">
                <span className="min-w-0 flex-1">
                  <span className="[overflow-wrap:anywhere]">{name}</span>
                  <span className="block text-graphite text-xs">{category}</span>
                </span>
                <PriceInput
                  aria-label={`Price of ${name}`}
                  cents={shop.prices[productId] ?? null}
                  placeholder={shop.defaultPriceCents === null ? 'By mail' : (shop.defaultPriceCents / 100).toFixed(2)}
                  onChange={(cents) => setPrice(productId, cents)}
                />
              </li>
            ))}
          </ul>
          <p className="py-2 text-graphite text-sm" aria-live="polite">
            {offers.isPending
              ? 'Loading'
              : offers.error
                ? messageOf(offers.error)
                : matches.length === 0
                  ? 'No product has this name.'
                  : matches.length > MAX_ROWS
                    ? `${MAX_ROWS} of ${matches.length} products. Search for the others.`
                    : `${matches.length} ${matches.length === 1 ? 'product' : 'products'}`}
          </p>
        </div>
      </details>
      {shop.defaultPriceCents !== null && (
        <p className="text-graphite text-sm">
          Ten pieces cost your customer {formatMoney(shop.defaultPriceCents * 10, shop.currency)}.
        </p>
      )}
    </>
  );
}

interface PriceProps {
  readonly cents: number | null;
  readonly placeholder: string;
  onChange(cents: number | null): void;
}

function PriceField({ label, ...rest }: PriceProps & { label: string }) {
  return (
    <Field label={label} className="w-44">
      {(control) => <PriceInput {...control} {...rest} />}
    </Field>
  );
}

/** A price field. A valid price is taken at once. An invalid text is undone when the field loses the focus. */
function PriceInput({ cents, onChange, ...rest }: PriceProps & { id?: string; 'aria-label'?: string }) {
  const [text, setText] = useState<string>();
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      className="measure max-w-32 text-right"
      aria-invalid={text !== undefined && readMoney(text) === undefined ? true : undefined}
      value={text ?? (cents === null ? '' : (cents / 100).toFixed(2))}
      onChange={(event) => {
        setText(event.target.value);
        const read = readMoney(event.target.value);
        if (read !== undefined) onChange(read);
      }}
      onBlur={() => setText(undefined)}
    />
  );
}

const routings = [
  { value: 'own', label: 'We do', text: 'Every order is yours to make.' },
  {
    value: 'maker',
    label: 'One maker',
    text: 'Every order goes to the maker you choose. What they decline comes back to you.',
  },
  {
    value: 'nearest',
    label: 'The nearest maker',
    text: 'Whoever is nearest to the customer and has the machine. What one declines goes to the next.',
  },
] as const;

function Routing({ shop, set }: SetProps) {
  const name = useId();
  return (
    <>
      <div role="radiogroup" aria-label="Who makes it" className="grid gap-1">
        {routings.map(({ value, label, text }) => (
          <label key={value} className="flex cursor-pointer items-start gap-3 py-1.5">
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-[18px] shrink-0 accent-accent"
              checked={shop.routing === value}
              onChange={() => set({ routing: value })}
            />
            <span>
              {label}
              <span className="block text-graphite text-sm">{text}</span>
            </span>
          </label>
        ))}
      </div>
      {shop.routing !== 'own' && (
        <TownField
          label="Where your shop is"
          hint={
            shop.routing === 'nearest'
              ? 'For customers who name no town of their own.'
              : 'Makers near it are offered to choose from.'
          }
          search={searchTowns}
          value={shop.place}
          onChange={(place) => set({ place })}
          className="max-w-[420px]"
        />
      )}
      {shop.routing === 'maker' && <ChosenMaker shop={shop} set={set} />}
      {shop.routing !== 'own' && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <span className="min-w-0 flex-[1_1_240px]">
            Production files
            <span className="block text-graphite text-sm">Whose monthly exports they use up.</span>
          </span>
          <SegmentedControl
            label="Production files are counted for"
            value={shop.payer}
            options={[
              { value: 'shop', label: 'Ours' },
              { value: 'maker', label: 'The maker’s' },
            ]}
            onChange={(payer) => set({ payer })}
            className="w-52"
          />
        </div>
      )}
    </>
  );
}

const NOBODY = '';

function ChosenMaker({ shop, set }: SetProps) {
  const { place, routedMakerId } = shop;
  const near = useQuery({
    queryKey: ['makers near a shop', place?.lat ?? null, place?.lon ?? null],
    queryFn: ({ signal }) => api.makers.find({ query: place ? { lat: place.lat, lon: place.lon } : {} }, { signal }),
  });
  const routedMaker = useQuery({
    queryKey: ['chosen maker', routedMakerId],
    enabled: routedMakerId !== null,
    queryFn: async ({ signal }) =>
      api.makers.show({ params: { id: routedMakerId ?? '' } }, { signal }).catch(() => null),
  });
  const nearMakers = near.data?.makers ?? [];
  const isAmong = nearMakers.some(({ id }) => id === routedMakerId);
  const makers = [...(routedMaker.data && !isAmong ? [routedMaker.data] : []), ...nearMakers];
  const options = [
    { value: NOBODY, label: 'Nobody yet' },
    ...makers.map(({ id, name, place: at, distanceKm }) => ({
      value: id,
      label: `${name}, ${at.name}${distanceKm === null ? '' : ` (${Math.round(distanceKm)} km)`}`,
    })),
  ];
  const isGone = routedMakerId !== null && routedMaker.data === null;
  return (
    <SelectField
      label="Maker"
      hint={
        near.data?.makers.length === 0
          ? 'No local maker is listed there yet. Until you choose one, orders stay with you.'
          : 'Orders for a machine they do not have stay with you.'
      }
      error={isGone ? 'This maker is not listed any more: orders stay with you. Choose another one.' : undefined}
      value={isGone ? NOBODY : (routedMakerId ?? NOBODY)}
      options={options}
      onChange={(maker) => set({ routedMakerId: maker === NOBODY ? null : maker })}
      className="max-w-[420px]"
      selectClassName="h-9 w-full pointer-coarse:h-11"
    />
  );
}

function Pages({ shop, set }: SetProps) {
  return (
    <Field
      label="Sites, one on each line"
      hint="Like https://shop.example. With none, every site may show it."
      className="max-w-[560px]"
    >
      {(control) => (
        <TextArea
          {...control}
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          className="measure"
          value={shop.allowedOrigins.join('\n')}
          onChange={(event) => set({ allowedOrigins: event.target.value.split('\n') })}
          onBlur={() => set({ allowedOrigins: shop.allowedOrigins.map((line) => line.trim()).filter(Boolean) })}
        />
      )}
    </Field>
  );
}

function EmbedKey({ shop, onSaved }: { shop: ShopSettings; onSaved(settings: ShopSettings): void }) {
  const [isAsking, setAsking] = useState(false);
  async function renew() {
    try {
      onSaved(await api.shop.renewKey({ body: {} }));
      toast({ title: 'New key made', description: 'Put it into the embed code of your pages.' });
    } catch (error) {
      toast({ title: 'The key was not renewed', description: messageOf(error), variant: 'destructive' });
    }
  }
  return (
    <div>
      <p className="font-medium text-graphite text-xs">Key in your embed code</p>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <CopyText text={shop.key} label="Copy the key" />
        <Button variant="ghost" onClick={() => setAsking(true)}>
          New key
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Make a new key?"
        description="Pages with the key you have now stop showing your shop until their code has the new one."
        action="Make a new key"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await renew();
          return true;
        }}
      />
    </div>
  );
}
