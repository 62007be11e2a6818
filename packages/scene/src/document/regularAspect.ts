/** The proportions of regular shapes. */
import type { ShapeElement } from './composition.ts';

/** Returns the corners of a polygon, or of a star, about 0, 0 with one at the top; the outer ones are 1 away. */
export function starCorners({
  form,
  sides,
  points,
  innerPercent,
}: Pick<ShapeElement, 'form' | 'sides' | 'points' | 'innerPercent'>): readonly (readonly [number, number])[] {
  const isStar = form === 'star';
  const count = isStar ? 2 * points : sides;
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const radius = isStar && i % 2 === 1 ? innerPercent / 100 : 1;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)] as const;
  });
}

/** Returns the width over the height of a polygon with equal sides, or of a star whose points are all alike. */
export function regularAspect(shape: Parameters<typeof starCorners>[0]): number {
  const corners = starCorners(shape);
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  return spread(corners.map(([x]) => x)) / spread(corners.map(([, y]) => y));
}
