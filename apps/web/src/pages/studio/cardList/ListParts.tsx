/** Shared parts of the two lists of cards, “My designs” and “My library”. */
import { Button, Icon } from '@markwright/controls';
import { type FormEvent, useEffect, useRef } from 'react';

export function FailureNote({ children }: { children: string }) {
  return (
    <p role="alert" className="mt-3 flex gap-2 rounded-control border border-danger px-3 py-2 text-danger text-sm">
      <Icon name="warning" className="size-5 shrink-0" />
      {children}
    </p>
  );
}

/** A message that names the deleted card, with a button that restores it. */
export function DeletedNote({ title, onUndo }: { title: string; onUndo(): void }) {
  return (
    <p className="mt-3 flex items-center gap-3 rounded-control bg-ink py-1.5 pr-1.5 pl-3 text-bone text-sm">
      <span className="min-w-0 flex-1 truncate">“{title}” was deleted.</span>
      <button
        type="button"
        onClick={onUndo}
        className="inline-flex h-8 items-center gap-1.5 rounded-control px-3 font-medium hover:bg-bone/15 focus-visible:outline-2 focus-visible:outline-bone"
      >
        <Icon name="undo" className="size-4" />
        Undo
      </button>
    </p>
  );
}

const SEARCH_PAUSE_MS = 250;

/** Calls back some time after the last letter. */
export function Search({
  label,
  placeholder,
  onSearch,
}: {
  label: string;
  placeholder: string;
  onSearch(text: string): void;
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value.trim()), SEARCH_PAUSE_MS);
  };
  return (
    <label className="flex h-10 min-w-0 flex-1 basis-48 items-center gap-2 rounded-control border border-edge bg-paper px-3 focus-within:outline-2 focus-within:outline-accent">
      <Icon name="search" className="size-4 text-graphite" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        onInput={onInput}
        className="min-w-0 flex-1 bg-transparent outline-none"
      />
    </label>
  );
}

export function Skeletons({ label }: { label: string }) {
  return (
    <div role="status" className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 md:gap-4">
      <span className="sr-only">{label}</span>
      {[1, 2, 3, 4].map((key) => (
        <span key={key} className="overflow-hidden rounded-card border border-line">
          <span className="block aspect-4/3 animate-pulse bg-ink/6" />
          <span className="m-3 block h-4 w-2/3 animate-pulse rounded-control bg-ink/6" />
          <span className="mx-3 mb-6 block h-3 w-1/3 animate-pulse rounded-control bg-ink/6" />
        </span>
      ))}
    </div>
  );
}

export function ListFailure({ sentence, onRetry }: { sentence: string; onRetry(): void }) {
  return (
    <div
      role="alert"
      className="mt-5 grid justify-items-center rounded-card border border-line border-dashed px-6 py-12 text-center"
    >
      <h3 className="text-lg">The list did not load</h3>
      <p className="mt-1 text-graphite text-sm">{sentence}</p>
      <Button className="mt-5" icon="refresh" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
