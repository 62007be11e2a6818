/** Places the highlight and the card, in pixels of the window. */
import type { CardSide } from './steps.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const CARD = { widthPx: 400, narrowPx: 350, marginPx: 20, narrowBelowPx: 640 } as const;

export function cardWidth(windowWidth: number): number {
  if (windowWidth >= CARD.narrowBelowPx) return CARD.widthPx;
  return Math.min(CARD.narrowPx, windowWidth - 2 * CARD.marginPx);
}

export function unite(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

/** Returns the intersection of two boxes; undefined when it is too small to be seen. */
export function intersect(a: Box, b: Box): Box | undefined {
  const crossAxis = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
  return crossAxis.right > crossAxis.left && crossAxis.bottom > crossAxis.top ? crossAxis : undefined;
}

const sides: readonly CardSide[] = ['right', 'left', 'bottom', 'top'];

/**
 * Returns the place of the card: beside the target where the whole card fits, on the preferred side first. Otherwise at
 * the foot of the window, or at its head for a target far down, where it hides the least of the target. Without a
 * target, in the middle.
 */
export function placeCard(
  target: Box | undefined,
  card: Size,
  window: Size,
  preferredSide: CardSide,
): { left: number; top: number } {
  const { marginPx: margin } = CARD;
  const fit = (at: number, length: number, whole: number) => Math.max(margin, Math.min(at, whole - margin - length));
  const middle = { left: fit((window.width - card.width) / 2, card.width, window.width), top: 0 };
  if (!target) return { ...middle, top: fit((window.height - card.height) / 2, card.height, window.height) };

  const beside = {
    right: { left: target.right + margin, top: fit(target.top, card.height, window.height) },
    left: { left: target.left - margin - card.width, top: fit(target.top, card.height, window.height) },
    bottom: { left: fit(target.left, card.width, window.width), top: target.bottom + margin },
    top: { left: fit(target.left, card.width, window.width), top: target.top - margin - card.height },
  };
  for (const side of [preferredSide, ...sides]) {
    const { left, top } = beside[side];
    const isInside =
      left >= margin &&
      top >= margin &&
      left + card.width <= window.width - margin &&
      top + card.height <= window.height - margin;
    if (isInside) return { left, top };
  }
  const isLow = target.top + target.bottom > window.height && target.top > card.height + margin;
  const top = isLow ? margin : Math.max(margin, window.height - margin - card.height);
  const hiddenArea = (left: number) => {
    const overlap = intersect(target, { left, top, right: left + card.width, bottom: top + card.height });
    return overlap ? overlap.right - overlap.left : 0;
  };
  const lefts = [middle.left, margin, Math.max(margin, window.width - margin - card.width)];
  return { top, left: lefts.reduce((best, left) => (hiddenArea(left) < hiddenArea(best) ? left : best)) };
}
