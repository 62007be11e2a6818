/** The layout of a list's pieces on sheets: the choice, its plan, and its faults. */
import { type Assets, artworksOf, type Composition, isEngraved, resolveScene } from '@markwright/scene';
import {
  DOTS_ON_SHEET,
  fillRatio,
  findLayoutFault,
  findPixelFault,
  type GangSheet,
  type Jig,
  type Layout,
  lengthOf,
  type PieceFrame,
  packSteps,
  planJig,
  type Sheet,
  type Silhouette,
  type SizeMm,
  shapeFill,
  sizeOfBox,
} from '@markwright/scene/sheets';
import { useEffect, useMemo, useState } from 'react';
import type { FittedRow } from '../../../studioHost/useFits.ts';
import { createWorkerPort } from '../../../studioHost/workerPort.ts';
import { type LayoutKind, readGang, readJig, rememberGang, rememberJig } from './layouts.ts';
import type { NestReply, NestRequest } from './nest.worker.ts';

export interface Plan {
  readonly sheets: readonly Sheet[];
  /** Of all sheets that is covered, 0…1. */
  readonly fill: number;
  /** Of pieces that are packed by their shapes. */
  readonly shapes?: PackedShapes | undefined;
}

interface PackedShapes {
  /** By the places of the pieces. */
  readonly silhouettes: readonly Silhouette[];
  /** The length of all sheets, when boxes are packed, mm. */
  readonly boxLengthMm: number;
}

/** The pieces that are made, in their order. */
interface Pieces {
  readonly fits: readonly FittedRow[];
  /** The numbers of their rows, from 1. */
  readonly rowNumbers: readonly number[];
}

export function useLayout(composition: Composition, assets: Assets, format: string, { fits, rowNumbers }: Pieces) {
  const frame = useMemo((): PieceFrame => {
    const { widthMm, heightMm, area } = resolveScene({ ...composition, elements: [] }, assets);
    return { widthMm, heightMm, area };
  }, [composition, assets]);
  const [kind, setKind] = useState<LayoutKind>('pieces');
  const [ownJig, setOwnJig] = useState<Jig>();
  const [gang, setOwnGang] = useState(readGang);
  const jig = useMemo(() => ownJig ?? readJig(frame), [ownJig, frame]);
  const layout = useMemo(
    (): Layout | undefined => (kind === 'jig' ? { kind, ...jig } : kind === 'gang' ? { kind, ...gang } : undefined),
    [kind, jig, gang],
  );
  const sizes = useMemo(() => fits.map(({ box }) => sizeOfBox(box)), [fits]);
  const fault = useMemo(
    () => layout && findFault(composition, layout, format, { frame, sizes, rowNumbers }),
    [composition, layout, format, frame, sizes, rowNumbers],
  );
  const plan = usePlan(fault === undefined ? layout : undefined, frame, sizes, fits);
  return {
    ...{ kind, setKind, frame, jig, gang, layout, fault, plan },
    setJig(next: Jig) {
      setOwnJig(next);
      rememberJig(frame, next);
    },
    setGang(next: GangSheet) {
      setOwnGang(next);
      rememberGang(next);
    },
  };
}

function findFault(
  composition: Composition,
  layout: Layout,
  format: string,
  pieces: Parameters<typeof findLayoutFault>[1],
): string | undefined {
  const { machine } = composition;
  const hasDots = machine === 'laser' && artworksOf(composition).some((artwork) => isEngraved(artwork, machine));
  if (hasDots) return DOTS_ON_SHEET;
  const pixelFault = format === 'png' || format === 'tiff' ? findPixelFault(layout) : undefined;
  return pixelFault ?? findLayoutFault(layout, pieces);
}

const askNest = createWorkerPort<NestRequest, NestReply>(
  () => new Worker(new URL('./nest.worker.ts', import.meta.url), { type: 'module', name: 'nest' }),
  'nest',
);

/**
 * Packs boxes a little at a time, so that the page answers meanwhile, and shapes in a worker. Undefined while it does.
 */
function usePlan(
  layout: Layout | undefined,
  frame: SizeMm,
  sizes: readonly SizeMm[],
  fits: readonly FittedRow[],
): Plan | undefined {
  const [plan, setPlan] = useState<Plan>();
  useEffect(() => {
    const stop = new AbortController();
    setPlan(undefined);
    if (layout?.kind === 'jig') {
      const sheets = planJig(layout, frame, sizes.length);
      setPlan({ sheets, fill: 0 });
    } else if (layout) {
      const steps = packSteps(layout, sizes);
      const goOn = () => {
        if (stop.signal.aborted) return;
        const { done, value } = steps.next();
        if (!done) setTimeout(goOn);
        else void finish(value);
      };
      // A value that is still being typed begins nothing.
      setTimeout(goOn, 100);
      const finish = async (boxSheets: readonly Sheet[]) => {
        const scenes = fits.flatMap(({ scene }) => scene ?? []);
        const canNest = layout.packBy === 'shapes' && scenes.length === sizes.length;
        const request = { gang: layout, scenes, sizes };
        const nest = canNest ? await askNest(request, stop.signal).catch(() => undefined) : undefined;
        if (stop.signal.aborted) return;
        if (!nest) return setPlan({ sheets: boxSheets, fill: fillRatio(boxSheets, sizes) });
        const { sheets, silhouettes } = nest;
        const shapes = { silhouettes, boxLengthMm: lengthOf(boxSheets) };
        setPlan({ sheets, fill: shapeFill(sheets, silhouettes), shapes });
      };
    }
    return () => stop.abort();
  }, [layout, frame, sizes, fits]);
  return plan;
}
