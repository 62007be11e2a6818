import { Button, Switch } from '@markwright/controls';
import type { Shop } from './shop.ts';

interface Props extends Shop {
  /** Names of the categories that are on, saved or not. */
  readonly enabledNames: ReadonlySet<string>;
  onChange(names: ReadonlySet<string>): void;
}

export function BaseCategories({ categories, enabledNames, onChange }: Props) {
  if (categories.length === 0) return <p className="py-6 text-graphite">There are no base categories yet.</p>;
  const on = categories.filter(({ name }) => enabledNames.has(name)).length;

  function toggle(name: string, isOn: boolean) {
    const next = new Set(enabledNames);
    if (isOn) next.add(name);
    else next.delete(name);
    onChange(next);
  }

  return (
    <>
      <p className="text-graphite">Your studio shows the categories that are on, and always your own products.</p>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <p className="measure text-graphite" aria-live="polite">
          {on} of {categories.length} on
        </p>
        <div className="flex gap-2">
          <Button
            size="sm"
            disabled={on === categories.length}
            onClick={() => onChange(new Set(categories.map(({ name }) => name)))}
          >
            Select all
          </Button>
          <Button size="sm" disabled={on === 0} onClick={() => onChange(new Set())}>
            Select none
          </Button>
        </div>
      </div>
      <ul aria-label="Base categories" className="-mx-5 mt-2 -mb-5 border-line border-t px-5">
        {categories.map(({ id, name, description, productCount }) => (
          <li key={id} className="border-line not-first:border-t">
            <label htmlFor={`shown-${id}`} className="flex min-h-12 cursor-pointer items-center gap-4 py-2">
              <span className="min-w-0 flex-1">
                <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
                {description && <span className="block text-graphite text-sm max-sm:hidden">{description}</span>}
                <span className="measure block text-graphite sm:hidden">{count(productCount)}</span>
              </span>
              <span className="measure whitespace-nowrap text-graphite max-sm:hidden">{count(productCount)}</span>
              <Switch
                id={`shown-${id}`}
                label={name}
                checked={enabledNames.has(name)}
                onChange={(isOn) => toggle(name, isOn)}
              />
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

const count = (products: number): string => (products === 1 ? '1 product' : `${products} products`);
