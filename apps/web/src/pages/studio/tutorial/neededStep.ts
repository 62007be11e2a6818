/** The part of the tutorial that the studio page needs before the tutorial's code is loaded. */

export type TutorialStepId =
  | 'welcome'
  | 'machine-mode'
  | 'text-editor'
  | 'design-upload'
  | 'product-selection'
  | 'preview-canvas'
  | 'completion';

/** Returns the step of the studio to open for a step of the tutorial, where the studio's steps fold. */
export function stepToOpen(id: TutorialStepId | undefined, hasProduct: boolean): 1 | 2 | 3 | 4 | undefined {
  switch (id) {
    case 'machine-mode':
      return 1;
    case 'product-selection':
      return 2;
    case 'text-editor':
    case 'design-upload':
      return hasProduct ? 3 : 2;
    case 'preview-canvas':
      return 4;
    default:
      return undefined;
  }
}
