/** The parts of the widget's page that only a session has: start over, what was opened, what is used up. */
import type { OfferedProduct } from '@markwright/contract/schemas';
import { Button, Icon } from '@markwright/controls';
import { artworksOf, type Composition, textsOf } from '@markwright/scene';
import { useEffect, useRef, useState } from 'react';
import type { Host } from './hostPage.ts';
import type { SavedSource } from './widgetEditorMachine.ts';

const CHANGE_DELAY_MS = 300;

interface ChangeMessagesProps {
  readonly host: Host | undefined;
  readonly composition: Composition;
  readonly product: OfferedProduct | undefined;
}

/** Tells the page around the frame what is on the stage (debounced). Shows nothing. */
export function ChangeMessages({ host, composition, product }: ChangeMessagesProps) {
  const arrangement = JSON.stringify({
    // The page knows it by the id that it has chosen itself.
    productId: (product && composition.productId) ?? null,
    productName: product?.name ?? null,
    machine: composition.machine,
    hasDesign: artworksOf(composition).length > 0,
    textCount: textsOf(composition).length,
  });
  useEffect(() => {
    if (!host) return;
    const timer = setTimeout(() => host.send({ type: 'change', ...JSON.parse(arrangement) }), CHANGE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [host, arrangement]);
  return null;
}

/** Asks before everything is removed, which cannot be undone. */
export function StartOver({ onClick }: { onClick(): void }) {
  const [isSure, setSure] = useState(false);
  return (
    <button
      type="button"
      onClick={() => {
        setSure(!isSure);
        if (isSure) onClick();
      }}
      onBlur={() => setSure(false)}
      className={`flex h-9 min-w-9 items-center justify-center rounded-control px-2 text-sm pointer-coarse:h-11 ${isSure ? 'text-danger' : 'text-graphite hover:text-ink'}`}
    >
      {!isSure && <Icon name="refresh" className="size-4 sm:hidden" />}
      <span className={isSure ? '' : 'max-sm:sr-only'}>{isSure ? 'Really start over?' : 'Start over'}</span>
    </button>
  );
}

export function ProductGone({ name, previewUrl }: { name: string; previewUrl: string }) {
  return (
    <div role="status" className="flex items-start gap-3 border-line border-b px-4 py-4 text-sm">
      <img
        src={previewUrl}
        alt="The design as you saved it"
        className="size-16 shrink-0 rounded-control bg-bone object-contain"
      />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">“{name}” is not offered here any more</p>
        <p className="mt-1 text-graphite">Your design is kept: choose another product for it.</p>
      </div>
    </div>
  );
}

export function ReopenedNote({ goneProduct }: SavedSource) {
  return (
    <p role="status" className="border-line border-b px-4 py-3 text-graphite text-sm">
      {goneProduct === undefined ? 'This is the design you saved.' : 'Your design is on this product now.'} Saving it
      again makes a new one; the saved one stays as it is.
    </p>
  );
}

interface ReplaceQuestionProps {
  /** Of the product that was chosen. */
  readonly name: string;
  readonly hasTemplate: boolean;
  onReplace(): void;
  onKeep(): void;
}

/** Asks before the start of another product takes the place of what a visitor made. In place: a frame has no dialog. */
export function ReplaceQuestion({ name, hasTemplate, onReplace, onKeep }: ReplaceQuestionProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <section
      role="alertdialog"
      aria-label={`Start over with ${name}?`}
      className="border-line border-b px-4 py-4 text-sm"
    >
      <p className="font-medium [overflow-wrap:anywhere]">
        {hasTemplate ? `${name} has a design of its own` : `${name} starts empty`}
      </p>
      <p className="mt-1 text-graphite">It takes the place of what you made here.</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" ref={keep} onClick={onKeep}>
          Keep mine
        </Button>
        <Button size="sm" variant="danger" onClick={onReplace}>
          Replace it
        </Button>
      </div>
    </section>
  );
}

/** Brings back what was replaced. */
export function ReplacedNote({ onUndo }: { onUndo(): void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 border-line border-b px-4 py-3 text-sm"
    >
      <span className="text-graphite">What you made was replaced.</span>
      <Button size="sm" onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}

export function LimitReached({ shopName }: { shopName: string | undefined }) {
  return (
    <div role="alert" className="border-line border-b px-4 py-3 text-sm">
      <p className="font-medium">This month’s free pictures are used up</p>
      <p className="mt-1 text-graphite">
        Text stays free: you can go on with words.
        {shopName ? ` For a picture of your own, ask ${shopName}.` : ' New pictures are there next month.'}
      </p>
    </div>
  );
}
