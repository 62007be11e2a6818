/** A place somebody names: typed, then chosen from the towns that are called so. */
import { Field, TextInput } from '@markwright/editor';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

export interface NamedPlace {
  readonly name: string;
  readonly region: string;
  readonly country: string;
  readonly lat: number;
  readonly lon: number;
}

interface Props {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: NamedPlace | null;
  readonly className?: string;
  search(text: string, signal: AbortSignal): Promise<readonly NamedPlace[]>;
  onChange(place: NamedPlace | null): void;
}

const PAUSE_MS = 160;

export const placeWords = ({ name, region, country }: NamedPlace): string =>
  [name, region, country].filter(Boolean).join(', ');

/** What is typed and not chosen is no place: leaving the field gives back the one before, or none where it was emptied. */
export function PlaceField({ label, hint, value, className, search, onChange }: Props) {
  const [text, setText] = useState<string>();
  const [found, setFound] = useState<readonly NamedPlace[]>([]);
  const [active, setActive] = useState(0);
  const [isFailed, setFailed] = useState(false);
  const id = useId();
  const look = useRef(search);
  look.current = search;

  const asked = text?.trim() ?? '';
  useEffect(() => {
    setFailed(false);
    if (asked.length < 2) {
      setFound([]);
      return;
    }
    const leave = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const places = await look.current(asked, leave.signal);
        if (leave.signal.aborted) return;
        setFound(places);
        setActive(0);
      } catch {
        if (!leave.signal.aborted) setFailed(true);
      }
    }, PAUSE_MS);
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [asked]);

  const isOpen = text !== undefined && found.length > 0;
  function choose(place: NamedPlace | undefined) {
    if (place) onChange(place);
    setText(undefined);
    setFound([]);
  }
  function leaveField() {
    if (text !== undefined && text.trim() === '' && value) onChange(null);
    setText(undefined);
    setFound([]);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && text !== undefined) {
      event.stopPropagation();
      setText(undefined);
    }
    if (!isOpen) return;
    if (event.key === 'ArrowDown') setActive((active + 1) % found.length);
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % found.length);
    else if (event.key === 'Enter') choose(found[active]);
    else return;
    event.preventDefault();
  }

  return (
    <Field
      label={label}
      hint={hint}
      error={isFailed ? 'Places cannot be looked up right now.' : undefined}
      className={className ?? ''}
    >
      {(control) => (
        <div className="relative">
          <TextInput
            {...control}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={`${id}list`}
            aria-autocomplete="list"
            aria-activedescendant={isOpen ? `${id}${active}` : undefined}
            autoComplete="off"
            value={text ?? (value ? placeWords(value) : '')}
            onChange={(event) => setText(event.target.value)}
            onFocus={(event) => event.target.select()}
            onBlur={leaveField}
            onKeyDown={onKeyDown}
          />
          <div
            id={`${id}list`}
            role="listbox"
            aria-label={label}
            className={`absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-control border border-line bg-paper p-1 shadow-float ${isOpen ? '' : 'hidden'}`}
          >
            {found.map((place, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which keeps the focus
              // biome-ignore lint/a11y/useFocusableInteractive: see above
              <div
                key={`${place.lat} ${place.lon} ${place.name}`}
                id={`${id}${at}`}
                role="option"
                aria-selected={at === active}
                // Before the field hears that it was left.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(place)}
                className={`flex min-h-9 cursor-default flex-wrap items-baseline gap-x-2 rounded-[4px] px-2 py-1.5 pointer-coarse:min-h-11 ${at === active ? 'bg-ink/6' : 'hover:bg-ink/6'}`}
              >
                <span>{place.name}</span>
                <span className="text-graphite text-sm">
                  {[place.region, place.country].filter(Boolean).join(', ')}
                </span>
              </div>
            ))}
          </div>
        </div>
      )}
    </Field>
  );
}
