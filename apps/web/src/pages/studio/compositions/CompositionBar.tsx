/** The name of the open composition, and its save status. */

import { Button } from '@markwright/controls';
import { useEditorState, useStore } from '@markwright/editor';
import { MAX_NAME_LENGTH } from '@markwright/scene';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { shownProducts } from '../../../products/shownProducts.ts';
import { toast } from '../../../ui/notices.ts';
import type { Autosave } from './autosave.ts';
import type { SaveStatus } from './autosaveTypes.ts';
import { defaultName } from './defaultName.ts';

const sayings: Record<SaveStatus, string> = {
  blank: '',
  device: 'Saved on this device',
  full: 'Not saved: this device is full',
  saving: 'Saving…',
  saved: 'Saved',
  offline: 'Not saved: offline',
  failed: 'Not saved',
  changed: 'Changed elsewhere',
  signedOut: 'Not saved: signed out',
};

const explanations: Partial<Record<SaveStatus, string>> = {
  device: 'Create an account to have it on every device.',
  saved: 'In your account, under My designs.',
  offline: 'Kept on this device; saved when the connection is back.',
  signedOut: 'Kept on this device; saved when you are signed in again.',
  full: 'This browser stores no more. Delete a design under My designs.',
};

const bad: readonly SaveStatus[] = ['full', 'offline', 'failed', 'changed', 'signedOut'];

export function CompositionBar({ autosave, className = '' }: { autosave: Autosave; className?: string }) {
  const { status, failure } = useStore(autosave, (state) => state);
  const isBad = bad.includes(status);
  return (
    <div className={`flex min-w-0 items-center gap-1.5 ${className}`}>
      <Title autosave={autosave} />
      <span
        title={failure ?? explanations[status]}
        className={`flex shrink-0 items-center gap-1.5 text-xs whitespace-nowrap ${isBad ? 'text-danger' : 'text-graphite'}`}
      >
        {/* Said aloud only when something is wrong: “Saving…” after every change would talk over the work. */}
        <span role="status">
          {isBad && sayings[status]}
          {failure && <span className="sr-only">. {failure}</span>}
        </span>
        {!isBad && sayings[status]}
        {(status === 'failed' || status === 'full') && (
          <Button size="sm" variant="ghost" icon="refresh" onClick={autosave.retry}>
            Retry
          </Button>
        )}
      </span>
    </div>
  );
}

/** Reads as a heading, is changed where it stands. */
function Title({ autosave }: { autosave: Autosave }) {
  const { id, name } = useStore(autosave, (state) => state);
  const { data: products } = useQuery(shownProducts(useQueryClient()));
  const productId = useEditorState(({ composition }) => composition.productId);
  const [draft, setDraft] = useState<{ readonly id: string; readonly text: string }>();
  const displayName = draft?.id === id ? draft.text : name;
  const placeholder = defaultName(productId, products);

  const end = (text: string | undefined) => {
    setDraft(undefined);
    if (text !== undefined) autosave.rename(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.currentTarget.blur();
    if (event.key !== 'Escape') return;
    setDraft(undefined);
    requestAnimationFrame(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  };
  return (
    <span className="grid min-w-0 max-w-72 items-center *:[grid-area:1/1]">
      {/* As wide as what it says. */}
      <span aria-hidden="true" className="invisible truncate px-2.5 font-medium text-sm whitespace-pre">
        {displayName || placeholder}
      </span>
      <input
        aria-label="Name of this design"
        value={displayName}
        placeholder={placeholder}
        maxLength={MAX_NAME_LENGTH}
        size={1}
        onChange={(event) => setDraft({ id, text: event.currentTarget.value })}
        onBlur={() => end(draft?.id === id ? draft.text : undefined)}
        onKeyDown={onKeyDown}
        className="h-8 w-full min-w-0 truncate rounded-control border border-transparent bg-transparent px-2 font-medium text-ink text-sm placeholder:text-ink hover:border-line focus:border-edge focus:bg-paper focus:placeholder:text-graphite"
      />
    </span>
  );
}

/** Asks which version is to be gone on with. */
export function ChangedElsewhere({ autosave }: { autosave: Autosave }) {
  const status = useStore(autosave, (state) => state.status);
  const [isBusy, setIsBusy] = useState(false);
  if (status !== 'changed') return null;
  const load = async () => {
    setIsBusy(true);
    try {
      await autosave.loadTheirs();
    } catch (error) {
      const description = error instanceof Error ? error.message : 'Please try again.';
      toast({ title: 'The other version did not load', description, variant: 'destructive' });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-accent-soft px-4 py-2 text-sm lg:px-6"
    >
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-semibold">Changed elsewhere.</span> Another tab or device saved this design after you
        opened it here. Nothing of yours is lost.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={autosave.keepMine} disabled={isBusy}>
          Keep mine as a copy
        </Button>
        <Button onClick={() => void load()} isBusy={isBusy}>
          Load theirs
        </Button>
      </div>
    </div>
  );
}
