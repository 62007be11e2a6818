/** Runs the cut-out machine in its window: asks the design flow, reads the pictures, and sends the answers back. */
import { useEffect, useRef, useState } from 'react';
import {
  type CutoutEffect,
  type CutoutEvent,
  type CutoutMachine,
  type CutoutPictures,
  reduceCutout,
  startCutout,
} from '../../core/cutout/cutoutMachine.ts';
import type { Size } from '../../core/cutout/cutoutView.ts';
import { useDesignFlow, usePorts } from '../EditorProvider.tsx';
import { readPixels } from '../readPixels.ts';

/** The most pixels that can be refined while a slider moves. */
const MAX_SHOWN_PIXELS = 800_000;
const FAILED = 'Background removal failed';

export interface CutoutSource {
  readonly size: Size;
  readonly originalUrl: string;
  readonly isRemoved: boolean;
}

export function useCutout(
  source: CutoutSource,
  onClose: () => void,
): { readonly state: CutoutMachine; send(event: CutoutEvent): void } {
  const designs = useDesignFlow();
  const ports = usePorts();
  const [state, setState] = useState(() => startCutout(source.isRemoved));
  /** The state that the answers below are reduced from: always the newest. */
  const latest = useRef(state);

  const send = (event: CutoutEvent): void => {
    const step = reduceCutout(latest.current, event);
    latest.current = step.state;
    setState(step.state);
    for (const effect of step.effects) perform(effect);
  };

  const ask = async (id: number, work: () => Promise<CutoutEvent>): Promise<void> => {
    send(await work().catch((error: unknown) => ({ type: 'failed', id, error }) as const));
  };

  const perform = (effect: CutoutEffect): void => {
    switch (effect.type) {
      case 'readBackground': {
        const { id } = effect;
        void ask(id, async () => ({ type: 'backgroundRead', id, wish: await designs.readBackground() }));
        return;
      }
      case 'cutOut': {
        const { id, clearEnclosed } = effect;
        void ask(id, async () => {
          const url = await designs.cutOut(clearEnclosed, (stage) => send({ type: 'stage', stage }));
          return { type: 'cutOut', id, pictures: url === undefined ? undefined : await readPictures(source, url) };
        });
        return;
      }
      case 'remove': {
        const { id, settings } = effect;
        const { clearEnclosed, edgeShift, feather, strokes } = settings;
        const wish = {
          edgeShift,
          feather,
          strokes: [...strokes],
          ...(clearEnclosed !== undefined && { clearEnclosed }),
        };
        void ask(id, async () => ({
          type: 'changed',
          id,
          isDone: (await designs.removeBackground(wish, (stage) => send({ type: 'stage', stage }))) !== undefined,
        }));
        return;
      }
      case 'restore': {
        const { id } = effect;
        void ask(id, async () => ({
          type: 'changed',
          id,
          isDone: (await designs.restoreBackground()) !== undefined,
        }));
        return;
      }
      case 'cancel':
        designs.cancel();
        return;
      case 'close':
        onClose();
        return;
      case 'requireAccount':
        ports.requireAccount('mockups', { title: FAILED, description: effect.sentence });
        return;
    }
  };

  const hasOpened = useRef(false);
  useEffect(() => {
    // Once, also where React mounts twice in development.
    if (hasOpened.current) return;
    hasOpened.current = true;
    send({ type: 'open' });
  }, []);
  return { state, send };
}

async function readPictures(source: CutoutSource, cutoutUrl: string): Promise<CutoutPictures> {
  const { width, height } = source.size;
  const scale = Math.min(1, Math.sqrt(MAX_SHOWN_PIXELS / (width * height)));
  const shownSize = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const [original, cutout] = await Promise.all(
    [source.originalUrl, cutoutUrl].map((url) => readPixels(url, shownSize)),
  );
  return { original: original!, cutout: cutout! };
}
