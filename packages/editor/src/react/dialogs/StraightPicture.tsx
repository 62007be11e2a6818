/** A picture as it is straightened while angle and corners are set, with the pixels of a trace, only fewer. */
import type { Straightening } from '@markwright/scene';
import { useCallback, useEffect, useRef, useState } from 'react';
import { straightenPixels } from '../../core/cutout/straighten.ts';
import { readPixels } from '../readPixels.ts';

/** Enough for the dialog, and straightened between two frames of a drag. */
const MAX_PIXELS = 300_000;

interface StraightPictureProps {
  ref: (canvas: HTMLCanvasElement | null) => void;
  /** The first address that has a picture is shown. */
  urls: readonly (string | null | undefined)[];
  /** The picture's size in its own pixels. */
  size: { readonly width: number; readonly height: number };
  straighten: Straightening;
}

export function StraightPicture({ ref, urls, size, straighten }: StraightPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<Awaited<ReturnType<typeof readPixels>>>();
  const setCanvas = useCallback(
    (element: HTMLCanvasElement | null) => {
      canvas.current = element;
      ref(element);
    },
    [ref],
  );
  const addresses = urls.filter((url) => url !== undefined && url !== null).join(' ');
  const { width, height } = size;

  useEffect(() => {
    let isGone = false;
    const scale = Math.min(1, Math.sqrt((2 * MAX_PIXELS) / (width * height)));
    const copy = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
    const read = async () => {
      for (const url of addresses.split(' ')) {
        const pixels = await readPixels(url, copy).catch(() => undefined);
        if (pixels) return pixels;
      }
    };
    void read().then((pixels) => !isGone && setPicture(pixels));
    return () => {
      isGone = true;
    };
  }, [addresses, width, height]);

  useEffect(() => {
    const sheet = canvas.current;
    if (!picture || !sheet) return;
    const straight = straightenPixels(straighten, picture, MAX_PIXELS);
    sheet.width = straight.width;
    sheet.height = straight.height;
    const data = new ImageData(new Uint8ClampedArray(straight.data), straight.width, straight.height);
    sheet.getContext('2d')?.putImageData(data, 0, 0);
  }, [picture, straighten]);

  return (
    <canvas
      ref={setCanvas}
      // Nothing to trim while it is not drawn.
      width={0}
      height={0}
      className="pointer-events-none absolute inset-0 size-full select-none"
    />
  );
}
