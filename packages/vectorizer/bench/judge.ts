/** Measures a drawing against its original. */
import type { Art } from './art.ts';
import {
  colorError,
  compareMarks,
  countColors,
  edgeMarks,
  gzipKilobytes,
  lineMarks,
  type Marks,
  measurePaths,
  type PathStats,
  type Picture,
  render,
  SCALE,
} from './metrics.ts';

/** An original, rendered at the size drawings are judged at. */
export interface Original {
  art: Art;
  smooth: Picture;
  edges: Marks;
  colors: number;
  segments: number;
}

export function readOriginal(art: Art): Original {
  const width = art.width * SCALE;
  const crisp = render(art.svg, width, true);
  return {
    art,
    smooth: render(art.svg, width),
    edges: edgeMarks(crisp),
    colors: countColors(crisp),
    segments: measurePaths(art.svg).segments,
  };
}

export interface Scores extends PathStats {
  /** Mean distance between edges in px of the input, and F-score within a quarter of one. */
  edge: number;
  f25: number;
  /** Mean OKLab distance × 100. */
  color: number;
  /** Segments and colors, times those of the original. */
  segmentsRatio: number;
  colorsRatio: number;
  kilobytes: number;
}

export function judge(svg: string, { art, smooth, edges, colors, segments }: Original): Scores {
  const width = art.width * SCALE;
  const crisp = render(svg, width, true);
  const { error, f25 } = compareMarks(edgeMarks(crisp), edges);
  const stats = measurePaths(svg);
  return {
    ...stats,
    edge: error,
    f25,
    color: colorError(render(svg, width), smooth),
    segmentsRatio: stats.segments / segments,
    colorsRatio: countColors(crisp) / colors,
    kilobytes: gzipKilobytes(svg),
  };
}

/** Returns the mean distance between the center lines of two drawings of strokes, in px of the input. */
export function judgeLines(svg: string, { art }: Original): number {
  const width = art.width * SCALE;
  return compareMarks(lineMarks(svg, width, art.width), lineMarks(art.svg, width, art.unitsWide)).error;
}
