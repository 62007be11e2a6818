import type { BrushStroke } from '@markwright/contract/schemas';
import { type Picture, type PixelBox, paintStroke, refineEdges } from '@markwright/matting';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { CutoutPictures } from '../../core/cutout/cutoutMachine.ts';

/** The maker's corrections of the automatic cut-out. */
interface CutoutFinish {
  readonly edgeShift: number;
  readonly feather: number;
  readonly strokes: readonly BrushStroke[];
}

/**
 * Returns a canvas that shows the finished cut-out. A line that is being painted is drawn over it, only where it lies.
 */
export function useCutoutCanvas(pictures: CutoutPictures | undefined, { edgeShift, feather, strokes }: CutoutFinish) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const edges = useMemo(
    () => pictures && refineEdges(pictures.original, pictures.cutout, { edgeShift, feather }),
    [pictures, edgeShift, feather],
  );
  const done = useRef<{ readonly edges: Picture; readonly strokes: readonly BrushStroke[]; readonly picture: Picture }>(
    undefined,
  );
  /** The picture shown while a line is painted, and the box where it differs from the finished one. */
  const preview = useRef<{ readonly picture: Picture; box: PixelBox }>(undefined);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !pictures || !edges) return;
    const before = done.current;
    // One stroke more is painted over those that are there.
    const isNext =
      before?.edges === edges &&
      strokes.length >= before.strokes.length &&
      before.strokes.every((stroke, i) => stroke === strokes[i]);
    const picture = isNext ? before.picture : copyOf(edges);
    for (const stroke of isNext ? strokes.slice(before.strokes.length) : strokes) {
      paintStroke(pictures.original, picture, stroke);
    }
    done.current = { edges, strokes, picture };
    preview.current = undefined;
    if (element.width !== picture.width || element.height !== picture.height) {
      element.width = picture.width;
      element.height = picture.height;
    }
    element.getContext('2d')?.putImageData(toImageData(picture), 0, 0);
  }, [pictures, edges, strokes]);

  const show = (picture: Picture, { left, top, right, bottom }: PixelBox) => {
    if (right <= left || bottom <= top) return;
    canvas.current?.getContext('2d')?.putImageData(toImageData(picture), 0, 0, left, top, right - left, bottom - top);
  };
  return {
    canvas,
    paint(stroke: BrushStroke) {
      const finishedPicture = done.current?.picture;
      if (!finishedPicture || !pictures) return;
      preview.current ??= { picture: copyOf(finishedPicture), box: { left: 0, top: 0, right: 0, bottom: 0 } };
      const { picture, box } = preview.current;
      copyBox(finishedPicture, picture, box);
      preview.current.box = paintStroke(pictures.original, picture, stroke);
      show(picture, preview.current.box);
    },
    stopPainting() {
      if (done.current && preview.current) show(done.current.picture, preview.current.box);
      preview.current = undefined;
    },
  };
}

const copyOf = ({ width, height, data }: Picture): Picture => ({ width, height, data: data.slice() });

const toImageData = ({ width, height, data }: Picture): ImageData =>
  new ImageData(new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.length), width, height);

function copyBox(from: Picture, to: Picture, { left, top, right, bottom }: PixelBox): void {
  for (let y = top; y < bottom; y++) {
    const [start, end] = [4 * (y * from.width + left), 4 * (y * from.width + right)];
    to.data.set(from.data.subarray(start, end), start);
  }
}
