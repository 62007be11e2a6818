/** Where a new element goes: beside what is on the product already, never on top of it. */
import { isArtworkId, type Point, placedBox, type Scene, type SceneGroup } from '@markwright/scene';
import { MM_PER_INCH } from './measure.ts';

/** The assumed height of a line of an unmeasured face, in ems: most take less. */
const LINE_EMS = 1.4;
/** The gap between a text and the element above or below it, in ems. */
const GAP_EMS = 0.25;

/**
 * Returns the place of a text that is being written, in per cent of the machine area; 0, 0 is its middle. It goes under
 * the last text, or else under the design. Where that is taken, or outside the machine area, it goes under or over
 * another element; in the middle when there is no room at all. The group of the text itself may be in the scene and is
 * ignored.
 */
export function placeNewText(
  scene: Scene,
  text: { readonly id: string; readonly text: string; readonly heightInches: number },
): Point {
  const emMm = text.heightInches * MM_PER_INCH;
  return placeNew(scene, {
    elementId: `text:${text.id}`,
    heightMm: text.text.split('\n').length * LINE_EMS * emMm,
    gapMm: GAP_EMS * emMm,
    stepMm: emMm,
  });
}

interface NewElement {
  readonly elementId: string;
  readonly heightMm: number;
  /** To the element above or below. */
  readonly gapMm: number;
  /** From one to the next where there is no room. */
  readonly stepMm?: number;
}

/** Returns the place of any new element by the same rules. */
export function placeNew(
  scene: Scene,
  { elementId: ownId, heightMm: ownHeight, gapMm: gap, stepMm = ownHeight / 4 }: NewElement,
): Point {
  const { widthMm, heightMm } = scene;
  const groups = scene.groups.filter(({ elementId }) => elementId !== ownId);
  const boxes = groups
    .map((group) => placedBox(group))
    .map(({ corners }) => ({
      middle: (corners[0].x + corners[2].x) / 2,
      top: Math.min(...corners.map(({ y }) => y)),
      bottom: Math.max(...corners.map(({ y }) => y)),
    }))
    .reverse();
  const isFree = (top: number) =>
    top >= 0 && top + ownHeight <= heightMm && boxes.every((box) => top >= box.bottom || top + ownHeight <= box.top);

  const places = [
    ...boxes.map(({ middle, bottom }) => ({ middle, top: bottom + gap })),
    ...boxes.map(({ middle, top }) => ({ middle, top: top - gap - ownHeight })),
  ];
  const place = places.find(({ top }) => isFree(top));
  if (!place) return { x: 0, y: nextInMiddle(groups, heightMm, stepMm) };
  return {
    x: (Math.min(widthMm, Math.max(0, place.middle)) / widthMm - 0.5) * 100,
    y: ((place.top + ownHeight / 2) / heightMm - 0.5) * 100,
  };
}

/** Returns a place in the middle column: elements step down from the middle, so that no two lie on the same spot. */
function nextInMiddle(groups: readonly SceneGroup[], heightMm: number, stepMm: number): number {
  const rows = Math.max(1, Math.floor(heightMm / 2 / stepMm));
  const occupiedYs = groups
    .filter(({ elementId }) => !isArtworkId(elementId))
    .map((group) => placedBox(group))
    .map(({ corners }) => (corners[0].y + corners[2].y - heightMm) / 2);
  const free = Array.from({ length: rows }, (_, index) => index * stepMm).find((y) =>
    occupiedYs.every((other) => Math.abs(other - y) > stepMm / 4),
  );
  return ((free ?? 0) / heightMm) * 100;
}
