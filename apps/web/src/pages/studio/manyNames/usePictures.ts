/** The pictures of a list: loads what a person chooses, and keeps it while the dialog is open. */
import { checkDesignUpload } from '@markwright/contract/words';
import { forNextPicture, hasAccount, useDesignFlow, usePorts } from '@markwright/editor';
import {
  type Artwork,
  drawArtwork,
  type FractionRect,
  isInkRect,
  type MachineMode,
  measureInk,
  writeSvg,
} from '@markwright/scene';
import { useEffect, useRef, useState } from 'react';
import { statusOf } from '../../../request.ts';
import { openPictureZip } from '../../../studioHost/pictureZip/openPictureZip.ts';
import type { PictureFile } from '../../../studioHost/pictureZip/readPictureZip.ts';
import { type LoadedPictures, loadPictures, type PictureProgress, type TracedPicture } from './loadPictures.ts';

export interface ListPictures extends LoadedPictures {
  /** Present while pictures are loaded. */
  readonly progress: PictureProgress | undefined;
  /** True once something was chosen. */
  readonly isChosen: boolean;
  /** Loads pictures in the place of those that are there, with the settings of this artwork’s trace. */
  choose(files: readonly File[], artworkId: string): Promise<void>;
  cancel(): void;
}

/** Draws the ink of a picture. Cost: linear in its outlines. */
function drawThumb(artwork: Artwork, { x, y, width, height }: FractionRect): Blob {
  const box = [x * artwork.width, y * artwork.height, width * artwork.width, height * artwork.height];
  const node = drawArtwork(artwork);
  const [, , boxWidth, boxHeight] = box;
  const attrs = { ...node.attrs, viewBox: box.join(' '), width: `${boxWidth}`, height: `${boxHeight}` };
  return new Blob([writeSvg({ ...node, attrs })], { type: 'image/svg+xml' });
}

const NONE: LoadedPictures = { pictures: new Map(), problems: [] };

export function usePictures(machine: MachineMode): ListPictures {
  const ports = usePorts();
  const designs = useDesignFlow();
  const [result, setResult] = useState(NONE);
  const [progress, setProgress] = useState<PictureProgress>();
  const running = useRef<AbortController>(undefined);
  /** Pictures by the hashes of their bytes, for each artwork that they were traced for. */
  const visit = useRef(new Map<string, Map<string, TracedPicture>>());
  useEffect(
    () => () => {
      running.current?.abort();
      const pictures = [...visit.current.values()].flatMap((byHash) => [...byHash.values()]);
      for (const { thumbUrl } of pictures) URL.revokeObjectURL(thumbUrl);
    },
    [],
  );

  /** Returns the function that uploads and traces a picture as an artwork is. */
  async function openTrace(artworkId: string, signal: AbortSignal) {
    const settings = forNextPicture(designs.readTracedSettings(artworkId));
    const design = designs.panels().get(artworkId)?.design;
    const { backgrounds } = ports;
    const wish =
      design?.backgroundRemovedUrl && backgrounds
        ? { ...(await backgrounds.read(design.id, signal)), strokes: [] }
        : undefined;
    return async ({ name, type, bytes }: PictureFile): Promise<TracedPicture> => {
      const file = new File([bytes], name, { type });
      const refusal = checkDesignUpload(file);
      if (refusal) throw new Error(refusal.description);
      const { id: designId } = await ports.uploadDesign(file, { signal, onProgress() {} });
      if (wish) {
        await backgrounds!.remove(designId, wish, { signal, onStage() {} }).catch((error: unknown) => {
          // A picture without a background has none to remove.
          if (statusOf(error instanceof Error ? error.cause : undefined) !== 422) throw error;
        });
      }
      const artwork = await ports.vectorize(designId, { settings, machine }, { signal, onStage() {} });
      const ink = measureInk(artwork, machine);
      if (!ink) throw new Error('Nothing is left of it in a trace with these settings.');
      return {
        ...{ designId, filename: name, aspect: artwork.width / artwork.height, artwork },
        ...(isInkRect(ink) && { ink }),
        thumbUrl: URL.createObjectURL(drawThumb(artwork, ink)),
      };
    };
  }

  async function choose(files: readonly File[], artworkId: string): Promise<void> {
    if (files.length === 0 || !hasAccount(ports, 'production')) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setProgress({ done: 0, total: 0 });
    try {
      const trace = await openTrace(artworkId, signal);
      const host = { readZip: openPictureZip, trace };
      const byHash = visit.current.get(artworkId) ?? new Map<string, TracedPicture>();
      visit.current.set(artworkId, byHash);
      const next = await loadPictures(files, host, { signal, byHash, onProgress: setProgress });
      if (running.current === controller) setResult(next);
    } catch (error) {
      if (!signal.aborted) {
        setResult({ ...NONE, problems: [error instanceof Error ? error.message : String(error)] });
      }
    } finally {
      if (running.current === controller) {
        running.current = undefined;
        setProgress(undefined);
      }
    }
  }

  const isChosen = result !== NONE || progress !== undefined;
  return { ...result, progress, isChosen, choose, cancel: () => running.current?.abort() };
}
