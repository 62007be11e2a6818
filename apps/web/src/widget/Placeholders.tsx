/** Placeholders of the widget's page for the stage, or for products and stage. */
import { Button } from '@markwright/controls';
import { SelectProduct } from '@markwright/editor';
import type { ReactNode } from 'react';
import type { Visit } from './visit.ts';
import type { SavedSource } from './widgetEditorMachine.ts';

export function Placeholder({
  isOpening,
  onRetry,
  hasDesign,
}: {
  isOpening: boolean;
  /** Set when the editor did not load. */
  onRetry: (() => void) | undefined;
  hasDesign: boolean;
}) {
  if (onRetry) {
    return (
      <div
        role="alert"
        className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center"
      >
        <p className="text-sm">The designer did not load. Check the connection.</p>
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  if (isOpening) {
    return (
      <div role="status" className="absolute inset-0 grid place-items-center">
        <span className="sr-only">Opening the product</span>
        <span className="h-3/5 w-2/5 animate-pulse rounded-card bg-ink/6" />
      </div>
    );
  }
  return (
    <SelectProduct advice={hasDesign ? 'Your design goes onto it.' : 'Then put your own picture or words on it.'} />
  );
}

export function Failure({ failure, onRetry }: { failure: NonNullable<Visit['failure']>; onRetry(): void }) {
  return (
    <Notice
      title={failure.isClosed ? 'This shop is closed' : 'The products did not load'}
      {...(!failure.isClosed && { again: { label: 'Try again', onClick: onRetry } })}
    >
      {failure.isClosed ? 'It does not offer designs here any more. Please ask the shop itself.' : failure.message}
    </Notice>
  );
}

export function NothingOffered({
  shopName,
  savedSource,
  onRetry,
}: {
  shopName: string | undefined;
  savedSource: SavedSource | undefined;
  onRetry(): void;
}) {
  return (
    <Notice
      title="Nothing to design here at the moment"
      picture={savedSource?.previewUrl}
      again={{ label: 'Look again', onClick: onRetry }}
    >
      {shopName || 'This shop'} has no product for it just now.{' '}
      {savedSource
        ? 'The design you saved is kept: come back to it by its link, or ask the shop.'
        : 'Please ask the shop, or come back later.'}
    </Notice>
  );
}

/** A message in place of products and stage. */
function Notice({
  title,
  picture,
  again,
  children,
}: {
  title: string;
  picture?: string | undefined;
  again?: { readonly label: string; onClick(): void };
  children: ReactNode;
}) {
  return (
    <main className="grid min-h-80 flex-1 place-content-center p-6">
      <div role="alert" className="grid justify-items-center gap-3 text-center">
        {picture !== undefined && (
          <img
            src={picture}
            alt="The design as you saved it"
            className="size-32 rounded-card bg-paper object-contain"
          />
        )}
        <h1 className="text-lg">{title}</h1>
        <p className="max-w-80 text-graphite text-sm [overflow-wrap:anywhere]">{children}</p>
        {again && (
          <Button icon="refresh" onClick={again.onClick}>
            {again.label}
          </Button>
        )}
      </div>
    </main>
  );
}
