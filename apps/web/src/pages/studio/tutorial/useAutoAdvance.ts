/** Goes on by itself when what a step asks for was done, and the person has come to rest. */
import { useDesignFlow, useEditor } from '@markwright/editor';
import type { Composition } from '@markwright/scene';
import { useEffect } from 'react';
import type { TutorialStepId } from './neededStep.ts';

interface Rule {
  /** Clicking one of these is doing it, also when it was chosen before. */
  readonly choices?: string;
  /** The part of the composition that changes when it is done; undefined while it is not. */
  readonly result?: (composition: Composition) => unknown;
  readonly restMs: number;
}

const rules: Partial<Record<TutorialStepId, Rule>> = {
  'machine-mode': { choices: '[data-step="1"] input', restMs: 600 },
  'text-editor': {
    result: ({ texts }) => (texts.some(({ text }) => text.trim() !== '') ? texts : undefined),
    restMs: 2000,
  },
  'design-upload': { result: ({ design }) => design, restMs: 1200 },
  'product-selection': { choices: '[data-step="2"] [data-card]', restMs: 800 },
};

export function useAutoAdvance(id: TutorialStepId, completeStep: (id: string) => void): void {
  const editor = useEditor();
  const designs = useDesignFlow();

  useEffect(() => {
    const rule = rules[id];
    if (!rule) return;
    const { choices, result, restMs } = rule;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (isBusy() ? rest() : completeStep(id)), restMs);
    };
    // In the middle of a trace, or of choosing from an open list, nobody wants to be moved on.
    const isBusy = () => designs.getState().job !== undefined || isSomethingOpen();

    let lastResult = result?.(editor.getState().composition);
    const unsubscribe = editor.subscribe(() => {
      const now = result?.(editor.getState().composition);
      if (now === lastResult) return;
      lastResult = now;
      if (now) rest();
      else clearTimeout(timer);
    });
    const onClick = ({ target }: MouseEvent) => {
      if (choices && target instanceof Element && target.closest(choices)) rest();
    };
    addEventListener('click', onClick, true);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      removeEventListener('click', onClick, true);
    };
  }, [id, editor, designs, completeStep]);
}

/** A list, a menu or a window lies above the page: what goes away by itself, as a notice does, waits for nobody. */
export const isSomethingOpen = (): boolean =>
  document.querySelector('[popover=auto]:popover-open, dialog:modal') !== null;
