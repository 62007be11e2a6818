/** The four steps of the studio, in their order. */
import { MachinePicker, ProductPicker, useEditorState } from '@markwright/editor';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { machineNames, useChosenProduct, useIsReady } from '../../products/chosenProduct.ts';
import { useHints } from './hints.ts';
import { DesignAndText, Position } from './lazyParts.tsx';
import { Step } from './Step.tsx';
import { stepToOpen, type TutorialStepId } from './tutorial/neededStep.ts';

const hints = [
  'Each machine has its own trace: a laser gets closed shapes in black, a UV printer keeps the colors.',
  'Sizes are those of the print area. Everything you place is measured against it.',
  'A logo on a plain ground traces best.',
  'Drag on the product, pull a corner to resize, or type millimeters. Arrow keys move by 1 %, with Shift by 5 %.',
] as const;

/** What only concerns a laser, after the hint of a step. */
const laserHints: Readonly<Record<number, string>> = {
  3: ' Take away the background first: it would be engraved too.',
};

/** `isFolding`: one step is open at a time, for narrow screens; the position controls then live in step 4. */
export function Steps({
  hasExported,
  tutorialStep,
  isSignedIn,
  isFolding = false,
}: {
  hasExported: boolean;
  tutorialStep: TutorialStepId | undefined;
  isSignedIn: boolean;
  isFolding?: boolean;
}) {
  const machine = useEditorState((state) => state.composition.machine);
  const product = useChosenProduct();
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isReady = useIsReady();
  const { isShown, dismiss } = useHints();

  // A machine is always chosen: the first one until the person says otherwise.
  const done = [true, hasProduct, isReady, isReady && hasExported];
  const firstOpenIndex = done.findIndex((isDone) => !isDone);
  const next = firstOpenIndex === -1 ? 4 : firstOpenIndex + 1;
  const [open, setOpen] = useState(next);
  const [hadProduct, setHadProduct] = useState(hasProduct);
  // Choosing a product is the one moment that leads on by itself: everything later is still being worked on when it
  // counts as done.
  if (hasProduct !== hadProduct) {
    setHadProduct(hasProduct);
    if (hasProduct && open === 2 && !tutorialStep) setOpen(3);
  }
  const stepOfTutorial = stepToOpen(tutorialStep, hasProduct);
  const [lastStepOfTutorial, setLastStepOfTutorial] = useState(stepOfTutorial);
  if (stepOfTutorial !== lastStepOfTutorial) {
    setLastStepOfTutorial(stepOfTutorial);
    if (stepOfTutorial) setOpen(stepOfTutorial);
  }

  // The words of a text are edited in step 3, wherever somebody asked to.
  const isTextAsked = useEditorState((state) => state.textToEdit !== undefined);
  if (isTextAsked && open !== 3) setOpen(3);

  const laserHint = (number: number) => (machine === 'laser' && laserHints[number]) || '';
  const step = (number: number) => ({
    number,
    isDone: done[number - 1] === true && number < next + (firstOpenIndex === -1 ? 1 : 0),
    isActive: number <= next,
    hint: isShown(number) && !tutorialStep ? `${hints[number - 1]}${laserHint(number)}` : undefined,
    onDismissHint: () => dismiss(number),
    ...(isFolding && { isOpen: open === number, onToggle: () => setOpen(open === number ? 0 : number) }),
  });

  return (
    <div>
      <Step {...step(1)} title="Choose Your Machine" summary={machineNames[machine]}>
        <MachinePicker />
      </Step>
      <Step {...step(2)} title="Select Product" summary={product?.name}>
        <ProductPicker empty={isSignedIn ? <AllOff /> : undefined} />
      </Step>
      <Step {...step(3)} title="Add Your Design & Text">
        <DesignAndText tutorialStep={tutorialStep} />
      </Step>
      <Step {...step(4)} title="Position & Preview">
        <Position isWhole={isFolding} />
      </Step>
    </div>
  );
}

/** An account chooses what its studio shows: the way back from having chosen nothing. */
function AllOff() {
  return (
    <>
      No products are switched on for your studio.{' '}
      <Link to="/profile/products" className="text-accent underline underline-offset-4">
        Choose some on your profile
      </Link>
    </>
  );
}
