/** The tutorial on the studio page: Help starts it, and a first visit is offered it once. */
import { Button, IconButton } from '@markwright/controls';
import { useEditorState, useStore } from '@markwright/editor';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { usePictureIntake } from '../waitingPicture.tsx';
import type { TutorialStepId } from './neededStep.ts';
import { Overlay } from './Overlay.tsx';
import { tutorialSteps } from './steps.ts';
import { createTutorial } from './tutorial.ts';

export interface TutorialProps {
  /** The number of presses of Help so far. */
  readonly requests: number;
  readonly userId: number | string | undefined;
  readonly page: RefObject<HTMLElement | null>;
  /** The element that the offer lies over. */
  readonly stage: HTMLElement | null;
  onAsk(): void;
  /** Called with the running step, and with undefined when the tutorial stops. */
  onStep(id: TutorialStepId | undefined): void;
}

export function Tutorial({ requests, userId, page, stage, onAsk, onStep }: TutorialProps) {
  const owner = useRef(userId);
  owner.current = userId;
  const [tutorial] = useState(() =>
    createTutorial({ steps: tutorialSteps, storage: localStorage, userId: () => owner.current }),
  );
  const state = useStore(tutorial, (current) => current);
  const stepId = state.isActive ? state.steps[state.currentStep]?.id : undefined;

  useEffect(() => {
    if (requests > 0) tutorial.start();
  }, [requests, tutorial]);
  useLayoutEffect(() => onStep(stepId), [stepId, onStep]);

  if (state.isActive) return <Overlay tutorial={tutorial} state={state} page={page} isGuest={userId === undefined} />;
  if (!state.isOffered || !stage) return null;
  return <Offer stage={stage} onTake={onAsk} onDismiss={() => tutorial.decline()} />;
}

/** Offers the tutorial. It disappears once the person has begun without it. */
function Offer({ stage, onTake, onDismiss }: { stage: HTMLElement; onTake(): void; onDismiss(): void }) {
  const hasBegun = useEditorState(({ composition: { productId, elements } }) => !!productId || elements.length > 0);
  const { waiting } = usePictureIntake();
  if (hasBegun || waiting) return null;
  return createPortal(
    <aside
      aria-label="Tutorial offer"
      // In a low window the blanks reach the foot of the stage: there it stands where the inspector comes later.
      className="absolute bottom-4 left-1/2 z-20 flex w-max max-w-[calc(100%-32px)] -translate-x-1/2 items-center gap-2 rounded-card border border-line bg-paper py-2 pr-2 pl-4 text-sm shadow-float lg:low:top-2 lg:low:bottom-auto lg:low:left-[calc(100%+12px)] lg:low:w-[292px] lg:low:max-w-none lg:low:translate-x-0 max-sm:static max-sm:mx-auto max-sm:w-fit max-sm:translate-x-0 max-sm:py-1 max-sm:shadow-none"
    >
      <p>
        New here? <span className="text-graphite max-sm:hidden">The tour takes two minutes.</span>
      </p>
      <Button size="sm" onClick={onTake}>
        Take the tour
      </Button>
      <IconButton icon="close" size="sm" label="Dismiss the tour offer" onClick={onDismiss} />
    </aside>,
    stage.querySelector('[data-tour-offer]') ?? stage,
  );
}
