import { type Point, type ProductAsset, renderScene, seededRandom, writeSvg } from '@markwright/scene';
import { describe, expect, test } from 'vitest';
import { roundViewOf } from '../document/roundView.ts';
import { designPlacement, openEditor, type TestComposition, textElement } from '../testHost.ts';
import { createGestureRun } from './gestureRun.ts';
import { type BoxCorner, type Grip, SNAP_PX } from './gestures.ts';
import {
  createStageView,
  type StageView,
  sceneToScreen,
  screenCorners,
  screenOutline,
  screenToPicture,
} from './stageView.ts';
import { createSurfaceMap, surfaceKey } from './surfaceMap.ts';

type Surface = NonNullable<ProductAsset['surface']>;

const surfaces: readonly (readonly [string, Surface])[] = [
  ['a mug', { kind: 'cylinder', diameterMm: 90 }],
  ['a pint glass', { kind: 'cone', topDiameterMm: 110, bottomDiameterMm: 84, heightMm: 86 }],
  ['a cup whose axis lies aside', { kind: 'cylinder', diameterMm: 100, axisMm: 6, arcMm: 200 }],
  ['a pen that lies level', { kind: 'cylinder', diameterMm: 60, axis: 'level', axisMm: -0.5 }],
];
const stage = { width: 800, height: 600 };

/** The stage of a round blank as it will be. */
function openRound(surface: Surface, composition: TestComposition = {}, zoom = 1.7) {
  const editor = openEditor(composition);
  const { product } = editor.getState().assets;
  editor.setAssets({ product: { ...product!, surface } });
  editor.setRoundView('round');
  const look = (isRound = true) => {
    const { scene } = editor.getState();
    const map = isRound ? createSurfaceMap(scene) : undefined;
    return createStageView(stage, scene, zoom, { x: 12, y: -40 }, undefined, map);
  };
  return { editor, look };
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

describe.each(surfaces)('on %s', (name, surface) => {
  test.each([0, 30, 270])(
    'turned by %i°, a place that shows is the place under the pointer there',
    (productAngleDeg) => {
      const { editor, look } = openRound(surface, { productAngleDeg });
      const { scene } = editor.getState();
      const view = look();
      const random = seededRandom(20);
      let worst = 0;
      for (let i = 0; i < 1000; i++) {
        const place = { x: random() * scene.widthMm, y: random() * scene.heightMm };
        const back = screenToPicture(view, sceneToScreen(view, place));
        worst = Math.max(worst, distance(back, { x: place.x + view.originMm.x, y: place.y + view.originMm.y }));
      }
      expect(worst).toBeLessThan(0.01);
    },
  );

  test('beside the blank a drag goes on without a jump, and what is behind shows at its outline', () => {
    const { look } = openRound(surface);
    const view = look();
    const isLevel = name.startsWith('a pen');
    const front = sceneToScreen(view, { x: 50.8, y: 25.4 });
    let last = screenToPicture(view, front);
    let farthest = 0;
    for (let px = 0.5; px < 700; px += 0.5) {
      const at = isLevel ? { x: front.x, y: front.y + px } : { x: front.x + px, y: front.y };
      const place = screenToPicture(view, at);
      // The wall is steep at the outline, and continuous.
      expect(isLevel ? place.y - last.y : place.x - last.x).toBeGreaterThan(0);
      expect(distance(place, last)).toBeLessThan(8);
      const back = sceneToScreen(view, { x: place.x - view.originMm.x, y: place.y - view.originMm.y });
      farthest = Math.max(farthest, distance(back, front));
      last = place;
    }
    const radiusMm = surface.kind === 'cylinder' ? surface.diameterMm / 2 : 49;
    expect(farthest).toBeLessThan((radiusMm + 7) * view.pxPerMm);
  });

  test('an element is moved by the way along the surface, to where the pointer holds it', () => {
    const { editor, look } = openRound(surface, { texts: [textElement('a', { x: -10, y: 5 })] });
    const view = look();
    editor.selectElements(['text:a']);
    const [from] = editor.getState().scene.groups;
    const middleOf = ({ corners }: NonNullable<typeof from>) => ({
      x: (corners[0].x + corners[2].x) / 2,
      y: (corners[0].y + corners[2].y) / 2,
    });
    const start = middleOf(from!);
    const end = { x: start.x + 23, y: start.y - 9 };
    drag(editor, view, { kind: 'move', elementIds: ['text:a'] }, start, end);
    expect(distance(middleOf(editor.getState().scene.groups[0]!), end)).toBeLessThan(0.01);
  });

  test('a corner is pulled and an element is turned by what the pointer shows on the surface', () => {
    const design = designPlacement({ size: 40, x: 10, y: -4 });
    const { editor, look } = openRound(surface, { design });
    const view = look();
    const elementId = editor.getState().scene.groups[0]!.elementId;
    editor.select(elementId);
    const corner: BoxCorner = 2;
    const before = editor.getState().scene.groups[0]!;
    const [anchor, , handle] = before.corners;
    const pull = { x: anchor.x + (handle.x - anchor.x) * 1.25, y: anchor.y + (handle.y - anchor.y) * 1.25 };
    drag(editor, view, { kind: 'resize', elementId, corner }, handle, pull);
    const after = editor.getState().scene.groups[0]!;
    expect(after.sizeMm.width / before.sizeMm.width).toBeGreaterThan(1.2);

    const middle = {
      x: (after.corners[0].x + after.corners[2].x) / 2,
      y: (after.corners[0].y + after.corners[2].y) / 2,
    };
    const around = (degrees: number) => {
      const angle = (degrees * Math.PI) / 180;
      return { x: middle.x + 15 * Math.cos(angle), y: middle.y + 15 * Math.sin(angle) };
    };
    drag(editor, view, { kind: 'rotate', elementId }, around(-90), around(-50));
    expect(editor.getState().composition.elements[0]).toMatchObject({ angleDeg: 40 });
  });

  test('handles and frames lie where the blank shows their places', () => {
    const { editor, look } = openRound(surface, { design: designPlacement({ size: 70, x: 12 }) });
    const view = look();
    const group = editor.getState().scene.groups[0]!;
    const places = screenCorners(view, group);
    const outline = screenOutline(view, group.corners);
    for (const [i, corner] of group.corners.entries()) {
      expect(distance(places[i]!, showByHand(surface, view, corner))).toBeLessThan(1e-6);
      expect(Math.min(...outline.map((point) => distance(point, places[i]!)))).toBeLessThan(1e-6);
    }
    const flatView = look(false);
    const shifts = places.map((point, i) => distance(point, screenCorners(flatView, group)[i]!));
    expect(Math.max(...shifts)).toBeGreaterThan(2);
  });
});

/** Where a place of the area shows, by the sine of its arc from the middle of the front. */
function showByHand(surface: Surface, view: StageView, { x, y }: Point): Point {
  if (surface.kind === 'flat') throw new Error('not round');
  const middle = { x: 50.8, y: 25.4 };
  const isLevel = surface.axis === 'level';
  const aside = surface.axisMm ?? 0;
  const [round, along] = isLevel ? [middle.y - y, x - middle.x] : [x - middle.x, y - middle.y];
  const cone =
    surface.kind === 'cone'
      ? surface
      : { topDiameterMm: surface.diameterMm, bottomDiameterMm: surface.diameterMm, heightMm: 1 };
  const flare = (cone.bottomDiameterMm - cone.topDiameterMm) / 2;
  const front = (cone.topDiameterMm + cone.bottomDiameterMm) / 4;
  const slant = Math.hypot(cone.heightMm, flare);
  const radius = front + (flare / slant) * along;
  // The middle of the area is seen from the side of an axis beside it.
  const start = Math.asin(aside / front) * (isLevel ? 1 : -1);
  const across = radius * Math.sin(start + round / front);
  const down = (cone.heightMm / slant) * along;
  const at = isLevel
    ? { x: middle.x + down, y: middle.y + aside - across }
    : { x: middle.x + aside + across, y: middle.y + down };
  const { a, b, c, d, e, f } = view.toScreen;
  const [px, py] = [at.x + view.originMm.x, at.y + view.originMm.y];
  return { x: a * px + c * py + e, y: b * px + d * py + f };
}

/** Drags from one place of the scene to another, with the pointer where the blank shows them. */
function drag(editor: ReturnType<typeof openRound>['editor'], view: StageView, grip: Grip, from: Point, to: Point) {
  const run = createGestureRun(editor);
  run.begin({ type: 'beginGesture', grip, start: sceneToScreen(view, from), isCopying: false }, view);
  // With Alt nothing snaps.
  const modifiers = { shift: false, alt: grip.kind === 'move' };
  run.draw({ type: 'drag', point: sceneToScreen(view, to), modifiers }, view);
  run.end({ type: 'commitGesture' });
}

test('snapping pulls by the surface: the side of an element lies on the side of the area, to the last digit', () => {
  const { editor, look } = openRound({ kind: 'cylinder', diameterMm: 90 }, { texts: [textElement('a')] });
  const view = look();
  editor.select('text:a');
  const box = editor.getState().scene.groups[0]!;
  const [topLeft] = box.corners;
  const run = createGestureRun(editor);
  const start = sceneToScreen(view, topLeft);
  run.begin({ type: 'beginGesture', grip: { kind: 'move', elementIds: ['text:a'] }, start, isCopying: false }, view);
  const near = sceneToScreen(view, { x: (0.4 * SNAP_PX) / view.pxPerMm, y: topLeft.y });
  const guides = run.draw({ type: 'drag', point: near, modifiers: { shift: false, alt: false } }, view);
  expect(guides?.lines.length).toBeGreaterThan(0);
  expect(editor.getState().scene.groups[0]!.corners[0].x).toBeCloseTo(0, 6);
});

test('a machine area that is resized leaves the blank where it is', () => {
  const { editor } = openRound({ kind: 'cylinder', diameterMm: 90 });
  const before = surfaceKey(editor.getState().scene);
  const { product } = editor.getState().assets;
  editor.dispatch({
    type: 'setMachineArea',
    area: { x: 0.3, y: 0.3, width: 0.3, height: 0.4 },
    printArea: product!.printArea,
    pictureAspect: product!.pictureAspect,
  });
  expect(surfaceKey(editor.getState().scene)).toBe(before);
});

test('the view changes neither the composition nor a file, and is remembered for the next blank', () => {
  const { editor } = openRound({ kind: 'cylinder', diameterMm: 90 }, { design: designPlacement() });
  const { composition, scene } = editor.getState();
  const files = () =>
    (['production', 'customSvg', 'standardSvg'] as const).map((kind) =>
      writeSvg(renderScene(editor.getState().scene, { kind })),
    );
  const round = files();
  editor.setRoundView('flat');
  expect(editor.getState()).toMatchObject({ canUndo: false });
  expect(editor.getState().composition).toBe(composition);
  expect(editor.getState().scene).toBe(scene);
  expect(files()).toEqual(round);

  editor.setRoundView('round');
  const { product } = editor.getState().assets;
  editor.setAssets({ product: { ...product!, surface: { kind: 'flat' } } });
  expect(roundViewOf(editor.getState())).toBe('flat');
  editor.setAssets({ product: { ...product!, surface: { kind: 'cylinder', diameterMm: 40 } } });
  expect(roundViewOf(editor.getState())).toBe('round');
});

test('what looks into a trace is drawn flat, and the blank is round again afterwards', () => {
  const { editor } = openRound({ kind: 'cylinder', diameterMm: 90 }, { design: designPlacement() });
  for (const [on, off] of [
    [{ compareAt: 0.5 }, { compareAt: undefined }],
    [{ showsNodes: true }, { showsNodes: false }],
    [{ spotlight: ['#000000'] }, { spotlight: [] }],
    [{ isPicking: true }, { isPicking: false }],
  ] as const) {
    editor.setViewOptions(on);
    expect(roundViewOf(editor.getState())).toBe('flat');
    editor.setViewOptions(off);
    expect(roundViewOf(editor.getState())).toBe('round');
  }
});
