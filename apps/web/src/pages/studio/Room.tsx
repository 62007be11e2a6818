/**
 * The studio below its bar. Wide: the stage fills it, with the steps at the left and the inspector and the exports at
 * the right on cards over it. Narrow: the stage on top, a sheet with the open step and the exports below it.
 */
import { guestUsage } from '@markwright/contract/words';
import { Icon } from '@markwright/controls';
import { type CanvasProps, useEditorState } from '@markwright/editor';
import { type PointerEvent, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import type { Allowance, Session } from '../../session.tsx';
import { EmptyStage } from './EmptyStage.tsx';
import {
  Canvas,
  ExportPanel,
  FloatingPreview,
  Inspector,
  LivePreview,
  PreflightCount,
  PreflightMarks,
  Status,
} from './lazyParts.tsx';
import { Steps } from './Steps.tsx';
import type { TutorialStepId } from './tutorial/neededStep.ts';
import { readUsageRecord } from './usageRecord.ts';

export interface RoomProps {
  /** The step of the tutorial that is open, and the ref by which the tutorial finds the stage. */
  readonly help: { readonly step: TutorialStepId | undefined; readonly setStage: Ref<HTMLDivElement> };
  readonly session: Session;
  readonly allowance: Allowance;
  readonly hasExported: boolean;
  onCreateAccount(): void;
}

/** Px that the cards of the wide room cover at each side, with their gaps. */
const cover = { left: 348, right: 316, top: 0, bottom: 0 };

const card = 'pointer-events-auto overflow-hidden rounded-card border border-line bg-paper shadow-float';

/** Every card holds what it needs at 1280 x 720; below that, the open step and the inspector scroll, each by itself. */
export function WideRoom({ help, session, allowance, hasExported, onCreateAccount }: RoomProps) {
  return (
    <main className="grid min-h-0 grid-rows-[minmax(0,1fr)_auto]">
      <div className="relative min-h-0">
        <div className="pointer-events-none absolute inset-y-2 left-3 z-20 flex w-[328px] flex-col">
          <div className={`flex max-h-full min-h-0 flex-col ${card}`}>
            <Steps isSignedIn={session.user !== undefined} tutorialStep={help.step} hasExported={hasExported} />
            <Foot session={session} allowance={allowance} onCreateAccount={onCreateAccount} />
          </div>
        </div>
        <Stage help={help} cover={cover} Floating={FloatingPreview} className="absolute inset-0" />
        <div className="pointer-events-none absolute inset-y-2 right-3 z-20 flex w-[292px] flex-col justify-between gap-2">
          <div className={`flex min-h-0 flex-col empty:invisible ${card}`}>
            <Inspector className="relative min-h-0 overflow-y-auto [scrollbar-width:thin]" />
          </div>
          <ExportPanel hasExported={hasExported} className={`shrink-0 ${card}`} />
        </div>
      </div>
      <Status allowance={allowance}>
        <PreflightCount />
      </Status>
    </main>
  );
}

const noCover = { left: 0, right: 0, top: 0, bottom: 0 };

interface Cover {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The stage, and over its free part what stands there before a product is chosen. */
function Stage({
  help,
  cover,
  className,
  ...canvas
}: Pick<RoomProps, 'help'> & { cover: Cover; className: string } & Pick<CanvasProps, 'Floating' | 'toolbar'>) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  return (
    <div ref={help.setStage} data-stage="" className={`bg-bone ${className}`}>
      {hasProduct ? (
        <Canvas className="h-full" inset={cover} hasControls Marks={PreflightMarks} {...canvas} />
      ) : (
        <div className="absolute" style={cover}>
          <EmptyStage className="h-full" />
        </div>
      )}
    </div>
  );
}

/** How much of the room the sheet takes. */
const SHEET = {
  peek: { share: '', next: 'half', words: 'Show the steps' },
  half: {
    // On a low phone the sheet leaves 178 px to the stage: a mark between its grips is 120 px wide there.
    share: 'h-1/2 max-sm:low:h-[min(max(50%,300px),calc(100%-255px))]',
    next: 'full',
    words: 'Show more of the steps',
  },
  /** A strip of the stage stays above its status line and its tools. */
  full: { share: 'h-[calc(100%-124px)]', next: 'peek', words: 'Show the stage' },
} as const;

/** The sheet has three heights. Its head, with the steps and the exports, is in sight at each of them. */
export function NarrowRoom({ help, session, allowance, hasExported, onCreateAccount }: RoomProps) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  // Before there is a product, the stage asks for one, with all of its height.
  const [size, setSize] = useState<keyof typeof SHEET>(hasProduct ? 'half' : 'peek');
  const [hadProduct, setHadProduct] = useState(hasProduct);
  if (hasProduct !== hadProduct) {
    setHadProduct(hasProduct);
    setSize('half');
  }
  const { share, next, words } = SHEET[size];
  const [toolbar, setToolbar] = useState<HTMLElement | null>(null);
  const sheet = useRef<HTMLElement>(null);
  useNoticesAbove(sheet, toolbar);
  const handle = useHandle(size, setSize);
  return (
    <main className="flex min-h-0 flex-col">
      <div className="relative min-h-0 flex-1">
        <Stage help={help} cover={noCover} toolbar={toolbar} className="absolute inset-0" />
      </div>
      {hasProduct ? (
        <Status className="h-[max(36px,var(--notice-height,0px)+2px)]! py-px">
          <PreflightCount />
        </Status>
      ) : (
        <div className="h-(--notice-height,0px) shrink-0 bg-bone" />
      )}
      {hasProduct && <div ref={setToolbar} className="h-11 shrink-0 border-line border-t bg-paper max-sm:low:h-10" />}
      <section
        ref={sheet}
        aria-label="Steps"
        data-sheet={size}
        className={`relative flex shrink-0 flex-col border-line border-t bg-paper ${share}`}
      >
        <button
          type="button"
          aria-label={words}
          onClick={() => setSize(next)}
          {...handle}
          // On a low phone it stands beside the tabs.
          className="grid h-6 shrink-0 touch-none place-items-center focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent max-sm:low:absolute max-sm:low:top-0 max-sm:low:right-0 max-sm:low:size-10"
        >
          <span className="h-1 w-9 rounded-full bg-edge max-sm:low:hidden" />
          <Icon
            name="chevronDown"
            className={`hidden size-5 text-graphite max-sm:low:block ${size === 'full' ? '' : 'rotate-180'}`}
          />
        </button>
        <Steps
          isNarrow
          isFolded={size === 'peek'}
          onUnfold={() => setSize('half')}
          isSignedIn={session.user !== undefined}
          tutorialStep={help.step}
          hasExported={hasExported}
        >
          <LivePreview className="mx-4 mb-4 w-fit" />
          <Foot session={session} allowance={allowance} onCreateAccount={onCreateAccount} />
        </Steps>
        {hasProduct && <ExportPanel hasExported={hasExported} className="min-h-0 border-line border-t" />}
      </section>
    </main>
  );
}

/** Keeps the notices on the line between the stage and its tools, beside the count of Preflight's findings. */
function useNoticesAbove(sheet: RefObject<HTMLElement | null>, toolbar: HTMLElement | null): void {
  useEffect(() => {
    const { style, dataset } = document.documentElement;
    dataset.noticeLine = '';
    const observer = new ResizeObserver(() => {
      const height = (sheet.current?.getBoundingClientRect().height ?? 0) + (toolbar?.offsetHeight ?? 0);
      style.setProperty('--notice-inset', `auto 48px ${Math.round(height) + 1}px 4px`);
    });
    if (sheet.current) observer.observe(sheet.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--notice-inset');
      delete dataset.noticeLine;
    };
  }, [sheet, toolbar]);
}

const SIZES = ['peek', 'half', 'full'] as const;
/** A finger that moves the handle further than this, in px, means the next height in that direction. */
const SWIPE_PX = 24;

/** Returns the handlers of the sheet's handle: a swipe goes up or down by one height. */
function useHandle(size: keyof typeof SHEET, setSize: (size: keyof typeof SHEET) => void) {
  const from = useRef<number>(undefined);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = event.clientY;
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const way = event.clientY - (from.current ?? event.clientY);
      if (Math.abs(way) < SWIPE_PX) return;
      from.current = event.clientY;
      const at = SIZES.indexOf(size) - Math.sign(way);
      setSize(SIZES[Math.min(SIZES.length - 1, Math.max(0, at))]!);
    },
    onPointerUp() {
      from.current = undefined;
    },
  };
}

type Guest = Pick<RoomProps, 'session' | 'allowance' | 'onCreateAccount'>;

/**
 * The footer below the steps. Until there is a product, the mission stands on the empty stage as its heading. A low
 * window needs its line for the open step.
 */
function Foot(guest: Guest) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  return (
    <footer className="flex shrink-0 flex-col gap-0.5 border-line border-t px-4 py-2.5 text-graphite text-xs low:py-1.5">
      <FreeMockups {...guest} />
      {hasProduct && (
        <h1 className="text-wrap! font-normal font-sans text-xs tracking-normal low:sr-only">
          From any picture to a file your machine can make.
        </h1>
      )}
      <p className="lg:low:hidden">Made by Markwright, for people who make things.</p>
    </footer>
  );
}

/**
 * The number of free mockups that a guest has used. It stands there from the first paint, so that nothing moves when
 * the number comes.
 */
function FreeMockups({ session, allowance, onCreateAccount }: Guest) {
  if (session.status === 'user') return null;
  const mockupsGenerated = allowance.guest?.mockupsGenerated ?? readUsageRecord()?.mockupsGenerated ?? 0;
  return (
    <aside aria-label="Free mockups" className={session.status === 'guest' ? '' : 'invisible'}>
      <p>{guestUsage(mockupsGenerated)}</p>
      <button
        type="button"
        onClick={onCreateAccount}
        className="min-h-6 rounded-control text-accent underline underline-offset-4"
      >
        Create an account for unlimited mockups
      </button>
    </aside>
  );
}
