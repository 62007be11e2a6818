/** Returns what a key does in the tutorial, unless the focused element uses it. */
import { isSomethingOpen } from './useAutoAdvance.ts';

export type TutorialKey = 'continue' | 'close' | 'next' | 'previous';

const meanings: Record<string, TutorialKey> = {
  Enter: 'continue',
  Escape: 'close',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
};

const usesEnter =
  'a, button, summary, textarea, select, input:not([type="radio"], [type="checkbox"]), [role="application"]';
const usesArrows =
  'input, textarea, select, [role="application"], [role="tab"], [role="slider"], [role="combobox"], [role="radio"], [contenteditable]';

/** Returns undefined for a key without a meaning here. With `isStageBusy`, Escape is left to cancel a gesture first. */
export function readKey(event: KeyboardEvent, isStageBusy: boolean): TutorialKey | undefined {
  const meaning = meanings[event.key];
  if (!meaning || event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return undefined;
  if (isSomethingOpen()) return undefined;
  const element = event.target instanceof Element ? event.target : undefined;
  if (meaning === 'close') return isStageBusy && element?.closest('[role="application"]') ? undefined : meaning;
  return element?.closest(meaning === 'continue' ? usesEnter : usesArrows) ? undefined : meaning;
}
