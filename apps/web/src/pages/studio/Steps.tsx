/** The four steps of the studio, in their order. */
import { isVaried, MachinePicker, ProductPicker, ProductVariants, useEditorState } from '@markwright/editor';
import { artworksOf, findElement, toElementName, toZOrder } from '@markwright/scene';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Link } from '../../navigation.tsx';
import { machineNames, useBaseProduct, useChosenProduct, useIsReady } from '../../products/chosenProduct.ts';
import { useHints } from './hints.ts';
import { DesignAndText, Position } from './lazyParts.tsx';
import { LibraryButton } from './library/LibraryButton.tsx';
import { useOwnBlanks } from './ownBlanks/OwnBlanks.tsx';
import { Step, StepPanel, type StepProps, StepTab } from './Step.tsx';
import { stepToOpen, type TutorialStepId } from './tutorial/neededStep.ts';

const hints = [
  'Each machine has its own trace: a laser gets closed shapes in black, a printer keeps the colors.',
  'Sizes are those of the print area. Everything you place is measured against it.',
  // Shown until there is something: a picture has its own advice beside it.
  'A logo on a plain background traces best.',
  'Drag on the product, pull a corner to resize, or type millimeters.',
] as const;

/** Stands after the hint of step 4 where there are keys. */
const keyHint = ' Arrow keys move by 1\u00a0%, with Shift by 5\u00a0%.';

/** Stands in place of the hint of step 3 for a laser. One line, like that: the step is whole in a low window. */
const laserHint = 'A picture’s background is engraved too.';

/** One step is open at a time. Beside a wide stage, the machine stays in sight until there is a product. */
export function Steps({
  hasExported,
  tutorialStep,
  isSignedIn,
  isNarrow = false,
  isFolded = false,
  onUnfold,
  children,
}: {
  hasExported: boolean;
  tutorialStep: TutorialStepId | undefined;
  isSignedIn: boolean;
  /** The position of what is on the product is part of step 4, as there is no inspector. */
  isNarrow?: boolean;
  /** Shows the heads of the narrow steps alone. A press on one unfolds them. */
  isFolded?: boolean;
  onUnfold?(): void;
  /** Stands below the open step, where the steps are narrow. */
  children?: ReactNode;
}) {
  const machine = useEditorState((state) => state.composition.machine);
  const product = useChosenProduct();
  const baseProduct = useBaseProduct();
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isReady = useIsReady();
  const contents = useContents();
  const hasPicture = useEditorState(({ composition }) => artworksOf(composition).length > 0);
  const ownBlanks = useOwnBlanks();
  const { isShown, dismiss } = useHints();

  // A machine is always chosen: the first one until the person says otherwise.
  const done = [true, hasProduct, isReady, isReady && hasExported];
  const firstOpenIndex = done.findIndex((isDone) => !isDone);
  const next = firstOpenIndex === -1 ? 4 : firstOpenIndex + 1;
  // Somebody who comes back goes on with what is on the product.
  const [open, setOpen] = useState(Math.min(next, 3));
  const productId = useEditorState((state) => state.composition.productId);
  const [lastProductId, setLastProductId] = useState(productId);
  // Choosing a product is the one moment that leads on by itself: everything later is still being worked on when it
  // counts as done.
  if (productId !== lastProductId) {
    setLastProductId(productId);
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
  const isAsked = isTextAsked || stepOfTutorial !== undefined;
  const unfold = useEffectEvent(() => onUnfold?.());
  useEffect(() => {
    if (isAsked && isFolded) unfold();
  }, [isAsked, isFolded]);

  const [hasKeys] = useState(() => !matchMedia('(pointer: coarse)').matches);
  const hintOf = (number: number) =>
    number === 3 && machine === 'laser' ? laserHint : `${hints[number - 1]}${number === 4 && hasKeys ? keyHint : ''}`;
  const isMachineShown = !isNarrow && !hasProduct && open === 2;
  const step = (number: number) => ({
    id: `step-${number}`,
    number,
    isDone: done[number - 1] === true && number < next + (firstOpenIndex === -1 ? 1 : 0),
    isActive: number <= next,
    hint:
      open === number && isShown(number) && !tutorialStep && !(number === 3 && isReady) ? hintOf(number) : undefined,
    onDismissHint: () => dismiss(number),
    isOpen: !isFolded && (open === number || (number === 1 && isMachineShown)),
    onToggle() {
      setOpen(open === number && !isFolded && !isNarrow ? 0 : number);
      onUnfold?.();
    },
  });
  const steps: readonly StepProps[] = [
    {
      ...step(1),
      title: 'Choose Your Machine',
      word: 'Machine',
      summary: machineNames[machine],
      content: <MachinePicker />,
    },
    {
      ...step(2),
      title: 'Select Product',
      word: 'Product',
      summary: product?.name,
      // Under the number of the step's head stands its name. The settings of a picture need the room, and so does a low
      // window: colors and sizes are then those of the product's card.
      detail: baseProduct && isVaried(baseProduct) && !(open === 3 && hasPicture) && (
        <ProductVariants product={baseProduct} className="pr-4 pb-2 pl-12.5 lg:low:hidden" />
      ),
      content: <ProductPicker isFitted={!isNarrow} empty={isSignedIn ? <AllOff /> : undefined} ownBlanks={ownBlanks} />,
    },
    {
      ...step(3),
      title: 'Add Your Design & Text',
      word: 'Design',
      summary: contents,
      content: <DesignAndText tutorialStep={tutorialStep} />,
      aside: hasProduct && <LibraryButton />,
    },
    { ...step(4), title: 'Position & Preview', word: 'Position', content: <Position isWhole={isNarrow} /> },
  ];

  if (isNarrow) {
    return (
      <>
        <div className="flex shrink-0 border-line border-b px-2 max-sm:low:pr-11">
          {steps.map((each) => (
            <StepTab key={each.number} {...each} />
          ))}
        </div>
        <div hidden={isFolded} className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
          {steps.map((each) => (
            <StepPanel key={each.number} {...each} />
          ))}
          {children}
        </div>
      </>
    );
  }
  return (
    <div className="flex min-h-0 flex-col">
      {steps.map((each) => (
        <Step key={each.number} {...each} />
      ))}
    </div>
  );
}

/** The names of the elements, for the folded step. */
function useContents(): string | undefined {
  return useEditorState(({ composition }) => {
    const names = toZOrder(composition).map((elementId) => toElementName(findElement(composition, elementId)!));
    return names.join(', ') || undefined;
  });
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
