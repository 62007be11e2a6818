/** Traces the customer's picture as the studio does: in its colors for a printer, in one color for a laser. */
import type { VectorizeSettings } from '@markwright/contract/schemas';
import { toVectorizerOptions } from '@markwright/contract/tracing';
import { VECTORIZE_DEFAULTS } from '@markwright/contract/words';
import { type Bitmap, type Drawing, vectorize, writeSvg } from '@markwright/vectorizer';

/** The trace as the page draws it, with the figures that the page states. Lengths are pixels of the picture. */
export interface TracedPicture {
  readonly width: number;
  readonly height: number;
  /** In z-order, the lowest first. */
  readonly layers: readonly { readonly color: string; readonly d: string }[];
  /** A dot for each node, as path data. */
  readonly nodes: string;
  /** The number of closed outlines. */
  readonly pathCount: number;
  readonly nodeCount: number;
}

const color: VectorizeSettings = {
  ...VECTORIZE_DEFAULTS,
  machineType: 'uv',
  colorMode: 'color',
  cutout: true,
  shapeStacking: 'stacked',
};
const laser: VectorizeSettings = {
  ...VECTORIZE_DEFAULTS,
  machineType: 'laser',
  colorMode: 'stainless',
  cutout: true,
};

export function traceBadge(bitmap: Bitmap): { picture: TracedPicture; colorSvg: string; laserSvg: string } {
  const drawing = vectorize(bitmap, toVectorizerOptions(color));
  return {
    picture: toPicture(drawing),
    colorSvg: writeSvg(drawing),
    laserSvg: writeSvg(vectorize(bitmap, toVectorizerOptions(laser))),
  };
}

const toTenths = (value: number): string => String(Math.round(value * 10) / 10);

function toPicture({ width, height, layers }: Drawing): TracedPicture {
  const rings = layers.flatMap(({ paths }) => paths).flatMap((path) => path.rings);
  const nodes = rings.flatMap(({ segments }) => segments);
  return {
    width,
    height,
    layers: layers.map(({ color, paths }) => ({
      color,
      d: paths
        .flatMap((path) => path.rings)
        .map(({ x, y, segments }) => {
          const commands = segments.map((to) =>
            to.isLine
              ? `L${toTenths(to.x)} ${toTenths(to.y)}`
              : `C${[to.x1, to.y1, to.x2, to.y2, to.x, to.y].map(toTenths).join(' ')}`,
          );
          return `M${toTenths(x)} ${toTenths(y)}${commands.join('')}Z`;
        })
        .join(''),
    })),
    nodes: nodes.map(({ x, y }) => `M${toTenths(x)} ${toTenths(y)}h0`).join(''),
    pathCount: rings.length,
    nodeCount: nodes.length,
  };
}
