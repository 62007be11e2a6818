/** Random scenes with the faults that people's drawings have. */
import {
  type Artwork,
  type ArtworkShape,
  applyCommand,
  type Command,
  emptyComposition,
  type MachineMode,
  readArtwork,
  readSvg,
  resolveScene,
  type Scene,
  seededRandom,
} from '../src/index.ts';

const SIDE = 60;

/** Returns the scene of shapes on a bare frame of 100 mm: at size 100, an artwork unit is 100 / 60 mm. */
export function sceneOf(
  shapes: readonly ArtworkShape[],
  machine: MachineMode = 'laser',
  changes: object = {},
  more: readonly Command[] = [],
): Scene {
  const artwork = toArtwork(shapes);
  const commands: Command[] = [
    { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 1 },
    { type: 'updateDesign', id: 'design', changes: { size: 100, ...changes } },
    ...more,
  ];
  const composition = { ...commands.reduce(applyCommand, emptyComposition), machine };
  const fonts = { outline: () => undefined };
  return resolveScene(composition, { product: undefined, artworks: new Map([['design', artwork]]), fonts });
}

/** Reads shapes as the artwork of an uploaded SVG, so that a laser gets what lies hidden cut away. */
function toArtwork(shapes: readonly ArtworkShape[]): Artwork {
  const paths = shapes.map(
    ({ d, fill = 'none', stroke = 'none', strokeWidth, opacity }) =>
      `<path d="${d}" fill-rule="evenodd" fill="${fill}" stroke="${stroke}" stroke-width="${strokeWidth}" opacity="${opacity}"/>`,
  );
  const size = `width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}"`;
  return readArtwork(readSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${paths.join('')}</svg>`))!;
}

export const patch = (d: string, fill = '#000000', more: Partial<ArtworkShape> = {}): ArtworkShape => ({
  d,
  fill,
  stroke: undefined,
  strokeWidth: 0,
  opacity: 1,
  ...more,
});
export const line = (d: string, stroke = '#ff0000'): ArtworkShape => ({
  d,
  fill: undefined,
  stroke,
  strokeWidth: 0.1,
  opacity: 1,
});

/** Returns a circle of four curves. */
export function circle(x: number, y: number, r: number): string {
  const k = 0.552_285 * r;
  return [
    `M${x + r} ${y}C${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r}`,
    `C${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y}`,
    `C${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r}`,
    `C${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y}Z`,
  ].join('');
}

export const box = (x: number, y: number, width: number, height = width): string =>
  `M${x} ${y}L${x + width} ${y}L${x + width} ${y + height}L${x} ${y + height}Z`;

/** Returns the data of one to three random shapes: whole, doubled, adjoining, nested, nearly closed, tiny, tangled. */
function randomOutlines(random: () => number): string[] {
  const between = (from: number, to: number) => from + (to - from) * random();
  const [x, y, r] = [between(5, 50), between(5, 50), between(1, 9)];
  const kinds: (() => string[])[] = [
    () => [circle(x, y, r)],
    () => [box(x, y, r)],
    () => [box(x, y, r), box(x, y, r)],
    () => [box(x, y, r), box(x + r, y, r)],
    () => [box(x, y, r), `M${x + r} ${y + r / 3}L${x + r} ${y + 3 * r}`],
    () => [circle(x, y, r), circle(x, y, r / 2), box(x - r / 8, y - r / 8, r / 4)],
    () => [`M${x} ${y}L${x + r} ${y}L${x + r / 2} ${y + r}L${x + 0.03} ${y + 0.02}`],
    () => [`M${x} ${y}L${x + r} ${y}L${x + r / 2} ${y + r}`],
    () => [`M${x} ${y}L${x + r} ${y + r}L${x + r} ${y}L${x} ${y + r}Z`],
    () => [`M${x} ${y}L${x + r} ${y}`, `M${x + r} ${y}L${x + r} ${y + r}`, `M${x} ${y}L${x + r} ${y + r}`],
    () => [circle(x, y, 0.01), `M${x} ${y}L${x} ${y}Z`, `M${x} ${y}L${x + r} ${y}Z`],
    () => [roughCircle(random, x, y, r)],
  ];
  return kinds[Math.floor(random() * kinds.length)]!();
}

/** Returns a circle of hundreds of lines, some of them microns long. */
function roughCircle(random: () => number, x: number, y: number, r: number): string {
  const angles = Array.from({ length: 200 }, () => 2 * Math.PI * random()).sort((a, b) => a - b);
  const points = angles.flatMap((angle) => [
    `${x + r * Math.cos(angle)} ${y + r * Math.sin(angle)}`,
    ...(random() < 0.2 ? [`${x + r * Math.cos(angle + 1e-4)} ${y + r * Math.sin(angle + 1e-4)}`] : []),
  ]);
  return `M${points.join('L')}Z`;
}

/** Returns a random scene; a number decides everything about it. */
export function randomScene(seed: number, machine: MachineMode = 'laser'): Scene {
  const random = seededRandom(seed);
  const oneOf = <T>(...values: T[]): T => values[Math.floor(random() * values.length)]!;
  const shapes = Array.from({ length: 2 + Math.floor(random() * 6) }, () => {
    const paint = oneOf('cut', 'cut', '#000000', '#808080', '#b4b4b4', '#ffffff');
    return randomOutlines(random).map((d) => (paint === 'cut' ? line(d) : patch(d, paint)));
  }).flat();
  return sceneOf(shapes, machine, {
    size: oneOf(40, 100, 160),
    angleDeg: oneOf(0, 0, 90, 33),
    isFlipped: oneOf(true, false),
    x: oneOf(0, 0, 20),
  });
}
