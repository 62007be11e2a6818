/** The seven steps: their texts, and the parts of the page they highlight. */
import type { TutorialStepId } from './neededStep.ts';
import type { ActionType } from './tutorial.ts';

export type CardSide = 'right' | 'left' | 'bottom' | 'top';

export interface TutorialStep {
  readonly id: TutorialStepId;
  readonly title: string;
  readonly description: string;
  /** A selector; all its matches are highlighted together. Without one the card stands in the middle. */
  readonly target?: string;
  /** The preferred side of the card. */
  readonly placement: CardSide;
  readonly actionType?: ActionType;
  /** The description and the highlight while no product is chosen. */
  readonly withoutProduct?: {
    readonly description: string;
    readonly target: string;
    readonly actionType: ActionType;
  };
  /** Replaces the description while the blank is empty. */
  readonly withoutDesign?: string;
  /** Follows the description while the machine is a laser. */
  readonly forLaser?: string;
  /** Follows the description for somebody without an account. */
  readonly forGuest?: string;
  /** Replaces the description where fingers point. */
  readonly byTouch?: string;
}

export interface TutorialSituation {
  readonly hasProduct: boolean;
  /** True when something is on the product. */
  readonly isReady: boolean;
  readonly isLaser: boolean;
  readonly isGuest: boolean;
  readonly isTouch: boolean;
}

/** Returns the step's text and target for the current state of the page. */
export function wordsOf(
  step: TutorialStep,
  { hasProduct, isReady, isLaser, isGuest, isTouch }: TutorialSituation,
): Pick<TutorialStep, 'target' | 'description' | 'actionType'> {
  if (step.withoutProduct && !hasProduct) return step.withoutProduct;
  if (step.withoutDesign && !isReady) return { ...step, description: step.withoutDesign };
  const description = [
    (isTouch && step.byTouch) || step.description,
    isLaser && step.forLaser,
    isGuest && step.forGuest,
  ];
  return { ...step, description: description.filter(Boolean).join(' ') };
}

const products = '[data-step="2"]';

export const tutorialSteps: readonly TutorialStep[] = [
  {
    id: 'welcome',
    title: 'From a picture to a machine-ready file',
    description:
      'Seven short stops, about two minutes. You work on your own piece along the way, and everything you do stays. Help brings the tour back.',
    placement: 'bottom',
  },
  {
    id: 'machine-mode',
    title: 'Choose the machine mode',
    description:
      'Each mode optimizes vectorization differently. A laser gets closed black shapes to engrave or cut; a UV printer keeps the colors of your picture.',
    target: '[data-step="1"]',
    placement: 'right',
    actionType: 'click',
  },
  {
    id: 'text-editor',
    title: 'Add text',
    description:
      'Type a name or a date, then choose a font, a size and a color. Sizes are real: inches here are inches on the blank.',
    target: '[data-step="3"]',
    placement: 'right',
    actionType: 'input',
    withoutProduct: {
      description: 'Text needs something to stand on. Choose a blank here first, then type a name or a date on it.',
      target: products,
      actionType: 'click',
    },
  },
  {
    id: 'design-upload',
    title: 'Upload a picture',
    description:
      'A JPG, PNG or SVG is traced into clean outlines. Drop it anywhere on the page, paste it, or choose it here.',
    byTouch: 'Choose a JPG, PNG or SVG, or take a photo: it is traced into clean outlines.',
    forLaser: 'Remove its background first, or the laser engraves that too.',
    target: '[data-step="3"]',
    placement: 'right',
    actionType: 'click',
    withoutProduct: {
      description: 'A picture needs something to sit on. Choose a blank here first, then drop your picture on it.',
      target: products,
      actionType: 'click',
    },
  },
  {
    id: 'product-selection',
    title: 'Choose the blank',
    description:
      'Expand a category, or search. The sizes are those of the print area. Change your mind whenever you like: design and text move along.',
    target: products,
    placement: 'right',
    actionType: 'click',
  },
  {
    id: 'preview-canvas',
    title: 'Put it in its place',
    description:
      'Drag it, or pull a corner to resize. A double click edits a text, the right button has all that can be done. Ctrl and the wheel zoom. Arrow keys move by 1 %, with Shift by 5 %.',
    byTouch:
      'Drag it, or pull a corner to resize. Two fingers zoom, a long press has all that can be done. Step 4 moves it by millimeters.',
    target: '[data-stage], [aria-label="Inspector"]',
    placement: 'left',
    actionType: 'observe',
    withoutProduct: {
      description:
        'Your blank appears here at its true size. What you put on it is dragged, resized and turned right here.',
      target: '[data-stage]',
      actionType: 'observe',
    },
  },
  {
    id: 'completion',
    title: 'Ready for the machine',
    description:
      'Machine, blank, design, place: that is the whole job. “Export for Production Processing” makes the machine’s file, “Export PNG Preview” a picture for your customer.',
    forGuest: 'Exports need an account.',
    placement: 'bottom',
    withoutDesign:
      'Machine, blank, design, place: that is the whole job. Your blank is still empty. Go back with Previous, or finish and add your design in step 3.',
  },
];
