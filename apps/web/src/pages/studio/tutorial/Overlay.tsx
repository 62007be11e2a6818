/** The overlay of the tutorial: dims the page but for the step's target, and shows a card beside it. */
import { Button, Icon, IconButton } from '@markwright/controls';
import { useEditor, useEditorState } from '@markwright/editor';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useIsReady } from '../../../products/chosenProduct.ts';
import { readKey } from './keys.ts';
import { type Box, cardWidth, placeCard } from './placement.ts';
import { type TutorialStep, wordsOf } from './steps.ts';
import type { ActionType, Tutorial, TutorialState } from './tutorial.ts';
import { useAutoAdvance } from './useAutoAdvance.ts';
import { useSpotlight } from './useSpotlight.ts';

const actionHints: Record<ActionType, string> = {
  click: 'Try clicking the highlighted element',
  input: 'Try entering some text',
  observe: 'Take a moment to explore this area',
};

interface Props {
  readonly tutorial: Tutorial<TutorialStep>;
  readonly state: TutorialState<TutorialStep>;
  /** The element that holds everything under the overlay. */
  readonly page: RefObject<HTMLElement | null>;
  readonly isGuest: boolean;
}

export function Overlay({ tutorial, state, page, isGuest }: Props) {
  const step = state.steps[state.currentStep]!;
  const { target, description, actionType } = useWords(step, isGuest);
  const spot = useSpotlight(page, target);
  const card = useRef<HTMLDivElement>(null);
  const place = useCardPlace(card, spot, step);
  useAutoAdvance(step.id, tutorial.completeStep);
  useKeys(tutorial);
  useFocus(card, step.id);

  const { currentStep, totalSteps } = state;
  const isFirst = currentStep === 0;
  const isLast = currentStep === totalSteps - 1;
  const id = useId();
  return (
    <div className="fixed inset-0 z-40 pointer-events-none" data-tutorial={step.id}>
      <Dim spot={spot} />
      <div
        ref={card}
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        style={place}
        className="pointer-events-auto absolute flex max-h-[calc(100dvh-40px)] flex-col overflow-y-auto rounded-card border border-line bg-paper p-5 text-ink shadow-float outline-none focus-visible:ring-2 focus-visible:ring-accent"
      >
        <div className="-mt-1.5 -mr-2 flex items-center gap-3">
          <p aria-live="polite" aria-atomic="true" className="measure shrink-0 text-graphite">
            {currentStep + 1} of {totalSteps}
            <span className="sr-only">: {step.title}</span>
          </p>
          <Progress value={currentStep + 1} max={totalSteps} />
          <IconButton icon="close" size="sm" label="Close the tutorial" onClick={() => tutorial.close()} />
        </div>
        <h2 id={`${id}-title`} className="mt-2 text-lg">
          {step.title}
        </h2>
        <p id={`${id}-text`} className="mt-1.5 text-base text-graphite">
          {description}
        </p>
        {actionType && spot && (
          <p className="mt-3 flex items-center gap-2 text-sm">
            <HintIcon type={actionType} />
            {actionHints[actionType]}
          </p>
        )}
        <div className="mt-5 flex items-center gap-2">
          {!isLast && (
            <Button variant="ghost" className="-ml-3 text-graphite" onClick={() => tutorial.skip()}>
              Skip
            </Button>
          )}
          <Button
            className="ml-auto"
            // aria-disabled keeps the focus, which a disabled button would lose.
            aria-disabled={isFirst || undefined}
            onClick={() => tutorial.previous()}
          >
            Previous
          </Button>
          <Button variant="primary" onClick={() => (isLast ? tutorial.close() : tutorial.next())}>
            {isLast ? 'Finish' : 'Next'}
          </Button>
        </div>
      </div>
    </div>
  );
}

function HintIcon({ type }: { type: ActionType }) {
  const look = 'size-[18px] shrink-0 text-accent';
  if (type !== 'click') return <Icon name={type === 'input' ? 'text' : 'eye'} className={look} />;
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden="true" className={look}>
      <path
        d="m7.500 7.500 9 3.500-4 1.500-1.500 4zM4 4l1.500 1.500M3 8h2M8 3v2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

function useWords(step: TutorialStep, isGuest: boolean): ReturnType<typeof wordsOf> {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isLaser = useEditorState((state) => state.composition.machine === 'laser');
  const isReady = useIsReady();
  const [isTouch] = useState(() => matchMedia('(pointer: coarse)').matches);
  return wordsOf(step, { hasProduct, isReady, isLaser, isGuest, isTouch });
}

/** Dims the page. It is only a picture: `useSpotlight` makes the page inert. */
function Dim({ spot }: { spot: Box | undefined }) {
  if (!spot) return <div className="absolute inset-0 bg-black/55" />;
  const left = Math.max(0, spot.left);
  const top = Math.max(0, spot.top);
  return (
    <div
      data-spot=""
      className="absolute rounded-control shadow-[0_0_0_200vmax_rgb(0_0_0/0.55)] outline-2 -outline-offset-2 outline-accent"
      style={{ left, top, width: spot.right - left, height: spot.bottom - top }}
    />
  );
}

function Progress({ value, max }: { value: number; max: number }) {
  return (
    <div
      role="progressbar"
      aria-label="Tutorial progress"
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={`Step ${value} of ${max}`}
      className="h-1 flex-1 overflow-hidden rounded-full bg-line"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-200"
        style={{ width: `${(100 * value) / max}%` }}
      />
    </div>
  );
}

/** Measures the card and the window, and returns the card's place beside the highlight. */
function useCardPlace(card: RefObject<HTMLElement | null>, spot: Box | undefined, step: TutorialStep) {
  const [{ height, window }, setSizes] = useState({ height: 0, window: { width: innerWidth, height: innerHeight } });
  useLayoutEffect(() => {
    const element = card.current;
    const around = element?.parentElement;
    if (!element || !around) return;
    const measure = () =>
      setSizes({ height: element.offsetHeight, window: { width: around.clientWidth, height: around.clientHeight } });
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    sizes.observe(around);
    return () => sizes.disconnect();
  }, [card]);
  const width = cardWidth(window.width);
  return { width, ...placeCard(spot, { width, height }, window, step.placement) };
}

function useKeys(tutorial: Tutorial<TutorialStep>): void {
  const editor = useEditor();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { selection, isGesturing } = editor.getState();
      const meaning = readKey(event, selection !== undefined || isGesturing);
      if (!meaning) return;
      event.preventDefault();
      event.stopPropagation();
      const { currentStep, totalSteps } = tutorial.getState();
      if (meaning === 'previous') tutorial.previous();
      else if (meaning === 'close' || (meaning === 'continue' && currentStep === totalSteps - 1)) tutorial.close();
      else tutorial.next();
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [tutorial, editor]);
}

/** Moves the focus to the card when a step begins, unless it is on one of the card's buttons. */
function useFocus(card: RefObject<HTMLElement | null>, stepId: string): void {
  useEffect(() => {
    if (!card.current?.contains(document.activeElement)) card.current?.focus({ preventScroll: true });
  }, [card, stepId]);
}
