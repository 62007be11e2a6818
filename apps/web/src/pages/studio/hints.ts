/** The hints a person dismissed, stored on this device. */
import { useState } from 'react';

const KEY = 'markwright-hints';

function readDismissed(): readonly number[] {
  try {
    const steps: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(steps) ? steps.filter((step) => typeof step === 'number') : [];
  } catch {
    return [];
  }
}

export function useHints(): { isShown(step: number): boolean; dismiss(step: number): void } {
  const [hiddenSteps, setHiddenSteps] = useState(readDismissed);
  return {
    isShown: (step) => !hiddenSteps.includes(step),
    dismiss(step) {
      const next = [...hiddenSteps, step];
      setHiddenSteps(next);
      try {
        localStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // Put away for this visit only.
      }
    },
  };
}
