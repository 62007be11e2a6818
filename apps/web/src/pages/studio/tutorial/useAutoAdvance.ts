/** Advances the tutorial when the task of a step is done and the person has paused. */
import { useDesignFlow, useEditor } from '@markwright/editor';
import { artworksOf, type Composition, textsOf } from '@markwright/scene';
import { useEffect } from 'react';
import type { TutorialStepId } from './neededStep.ts';

interface Rule {
  /** The selector of elements whose click completes the task, also on one that was chosen before. */
  readonly choices?: string;
  /** Returns the part of the composition that the task changes; undefined before the task is done. */
  readonly result?: (composition: Composition) => unknown;
  readonly restMs: number;
}

const rules: Partial<Record<TutorialStepId, Rule>> = {
  'machine-mode': { choices: '[data-step="1"] input', restMs: 600 },
  'text-editor': {
    result: (composition) => {
      const texts = textsOf(composition);
      return texts.some(({ text }) => text.trim() !== '') ? JSON.stringify(texts) : undefined;
    },
    restMs: 2000,
  },
  'design-upload': { result: (composition) => artworksOf(composition)[0], restMs: 1200 },
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
    // A running trace or an open list holds the tutorial.
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

/** True while a list, a menu or a dialog lies above the page. Notices do not count: they close by themselves. */
export const isSomethingOpen = (): boolean =>
  document.querySelector('[popover=auto]:popover-open, dialog:modal') !== null;
