/** The hints a person dismissed, stored on this device. */
import { useState } from 'react';

const KEY = 'markwright-hints';

function readDismissed(): readonly number[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(saved) ? saved.filter((step) => typeof step === 'number') : [];
  } catch {
    return [];
  }
}

export function useHints(): { isShown(step: number): boolean; dismiss(step: number): void } {
  const [dismissed, setDismissed] = useState(readDismissed);
  return {
    isShown: (step) => !dismissed.includes(step),
    dismiss(step) {
      const next = [...dismissed, step];
      setDismissed(next);
      try {
        localStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // Put away for this visit only.
      }
    },
  };
}
