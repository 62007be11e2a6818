/** Finds a town by the beginning of its name. */
import type { Town } from '@markwright/contract/schemas';
import { Icon, TextInput, useCombobox } from '@markwright/controls';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { townWords } from './words.ts';

const TYPING_MS = 140;

interface Props {
  readonly label: string;
  readonly value: Pick<Town, 'name' | 'region' | 'country'> | null;
  /** Finds the towns that begin so. `searchTowns`, or the widget's own, which keeps the code of its page small. */
  search(query: string, signal: AbortSignal): Promise<readonly Town[]>;
  /** Called with the chosen town, or with null when the field was emptied. */
  onChange(town: Town | null): void;
  readonly id?: string;
  readonly describedBy?: string | undefined;
  readonly placeholder?: string;
  readonly className?: string;
}

/**
 * A combobox. Arrow keys move through the towns, Enter chooses one (or the first one, once they are found), Escape
 * keeps the town as it was. A name that is typed in full and left chooses too: the largest town of that name, which the
 * field then shows with its country.
 */
export function TownInput({ label, value, search, onChange, id, describedBy, placeholder, className = '' }: Props) {
  const [draft, setDraft] = useState<string>();
  const { towns, failure, query } = useTowns(draft, search);
  // While somebody types, the list still belongs to the text before.
  const isCurrent = query === draft?.trim();
  const input = useRef<HTMLInputElement>(null);
  const isOpen = draft !== undefined && draft.trim() !== '' && (towns !== undefined || failure !== undefined);
  const optionCount = towns?.length ?? 0;
  const { active, setActive, moveActive, optionId, fieldProps, listProps } = useCombobox(label, optionCount, isOpen);

  const close = () => setDraft(undefined);
  function choose(town: Town | undefined) {
    if (!town) return;
    close();
    onChange(town);
  }
  async function leave() {
    const name = draft?.trim();
    close();
    if (name === '') onChange(null);
    if (!name) return;
    const matches = (town: Town) => isCalled(town, name);
    const town = isCurrent ? towns?.find(matches) : (await look(name)).find(matches);
    if (town) onChange(town);
  }
  const look = (name: string) => search(name, new AbortController().signal).catch(() => [] as readonly Town[]);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      if (draft === undefined) return;
      event.preventDefault(); // Enter chooses a town here, and submits no form
      if (draft.trim() === '') {
        close();
        onChange(null);
      } else if (isCurrent || active > 0) choose(towns?.[active]);
      else void look(draft.trim()).then(([first]) => choose(first));
    } else if (event.key === 'Escape') {
      if (draft === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (isOpen && event.key === 'ArrowDown') {
      event.preventDefault();
      moveActive(1);
    } else if (isOpen && event.key === 'ArrowUp') {
      event.preventDefault();
      moveActive(-1);
    }
  }

  return (
    <div className={`relative ${className}`}>
      <Icon
        name="search"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-[18px] text-graphite"
      />
      <TextInput
        ref={input}
        id={id}
        type="text"
        {...fieldProps}
        aria-autocomplete="list"
        aria-describedby={describedBy}
        placeholder={placeholder}
        value={draft ?? (value ? townWords(value) : '')}
        maxLength={100}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setDraft(event.target.value);
          setActive(0);
        }}
        onBlur={() => void leave()}
        onKeyDown={onKeyDown}
        className="h-11 pl-9"
      />
      <div
        {...listProps}
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-[336px] overflow-y-auto overscroll-contain rounded-control border border-line bg-paper p-1 shadow-float"
      >
        {towns?.map((town, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={town.id}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            // Keeps the focus in the field, so that the list stays open until the click.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(town)}
            onPointerMove={() => setActive(index)}
            className={`flex min-h-10 cursor-default flex-wrap items-baseline gap-x-2 rounded-[4px] px-2.5 py-2 select-none ${index === active ? 'bg-ink/6' : ''}`}
          >
            <span className="font-medium">{town.name}</span>
            <span className="text-graphite text-sm">{[town.region, town.country].filter(Boolean).join(', ')}</span>
          </div>
        ))}
      </div>
      <p role="status" className={isOpen && !towns?.length ? nothing : 'sr-only'}>
        {isOpen &&
          (failure ?? (towns?.length ? `${towns.length} towns found` : `No town begins with “${draft.trim()}”.`))}
      </p>
    </div>
  );
}

/** True when the text is the full name of the town. Accents, capitals and everything after a comma are ignored. */
function isCalled({ name }: Town, text: string): boolean {
  const [typedName = ''] = text.split(',');
  return name.localeCompare(typedName.trim(), undefined, { sensitivity: 'base' }) === 0;
}

const nothing =
  'absolute inset-x-0 top-full z-20 mt-1 rounded-control border border-line bg-paper px-3 py-3 text-graphite shadow-float [overflow-wrap:anywhere]';

interface TownSearch {
  /** The text that these towns belong to. */
  readonly query?: string;
  readonly towns?: readonly Town[];
  readonly failure?: string;
}

/** Searches towns after a debounce. The list before stays until the next one has arrived. */
function useTowns(text: string | undefined, search: Props['search']): TownSearch {
  const [result, setResult] = useState<TownSearch>({});
  const query = text?.trim() ?? '';
  useEffect(() => {
    if (query === '') return setResult({});
    const controller = new AbortController();
    const timer = setTimeout(() => {
      search(query, controller.signal).then(
        (towns) => setResult({ query, towns }),
        () => controller.signal.aborted || setResult({ query, failure: 'Towns cannot be looked up right now.' }),
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, search]);
  return result;
}
