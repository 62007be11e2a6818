import { applyMatrix, multiply, type ProductAsset, scale, seededRandom, translate } from '@markwright/scene';
import { expect, test } from 'vitest';
import { openEditor } from '../testHost.ts';
import { createSurfaceMap } from './surfaceMap.ts';
import { createMesh } from './surfaceMesh.ts';

const surfaces: readonly (readonly [string, NonNullable<ProductAsset['surface']>, number])[] = [
  ['a mug', { kind: 'cylinder', diameterMm: 90 }, 120],
  ['a pint glass', { kind: 'cone', topDiameterMm: 110, bottomDiameterMm: 84, heightMm: 86 }, 500],
  ['a pen that lies level', { kind: 'cylinder', diameterMm: 60, axis: 'level' }, 120],
];
const box = { width: 510, height: 300 };
const PX_PER_MM = 6;

test.each(surfaces)(
  'the pieces of %s are few, cover its front, and are off by less than half a pixel',
  (_, surface, most) => {
    const editor = openEditor();
    const { product } = editor.getState().assets;
    editor.setAssets({ product: { ...product!, surface } });
    const { scene } = editor.getState();
    const map = createSurfaceMap(scene)!;
    const { originMm } = scene.backdrop!;
    const toPicture = multiply(translate(originMm.x + 8, originMm.y), scale(1 / PX_PER_MM));
    const pieces = createMesh(map, toPicture, box);
    expect(pieces.length).toBeLessThan(most);
    const random = seededRandom(7);
    let worst = 0;
    for (let i = 0; i < 400; i++) {
      const point = { x: random() * box.width, y: random() * box.height };
      const place = map.unproject(applyMatrix(toPicture, point));
      const seat = map.project(place);
      const isOnBlank =
        Math.hypot(seat.x - applyMatrix(toPicture, point).x, seat.y - applyMatrix(toPicture, point).y) < 1e-6;
      const piece = pieces.find(
        ({ box: { left, top, right, bottom } }) =>
          point.x >= left && point.x < right && point.y >= top && point.y < bottom,
      );
      if (!isOnBlank) continue;
      expect(piece).toBeDefined();
      const { x, y } = applyMatrix(piece!.matrix, place);
      worst = Math.max(worst, Math.hypot(x - point.x, y - point.y));
    }
    expect(worst).toBeLessThan(0.5);
    // Its own matrix alone would be wrong for a piece further to the side.
    const [first] = pieces;
    const other = pieces.at(-1)!;
    const far = { x: (other.box.left + other.box.right) / 2, y: (other.box.top + other.box.bottom) / 2 };
    const { x, y } = applyMatrix(first!.matrix, map.unproject(applyMatrix(toPicture, far)));
    expect(Math.hypot(x - far.x, y - far.y)).toBeGreaterThan(5);
  },
);
