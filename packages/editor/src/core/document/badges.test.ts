import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import {
  applyCommand,
  type Composition,
  emptyComposition,
  findCircleRoom,
  linesOf,
  parseComposition,
  resolveScene,
  type Scene,
  saveComposition,
  textsOf,
} from '@markwright/scene';
import { createFigures } from '@markwright/scene/figures';
import { createFontBook } from '@markwright/scene/text';
import { describe, expect, it } from 'vitest';
import { addBadge, badgeElements, badgePresets } from './badges.ts';

const fonts = createFontBook();
const figures = createFigures();

function resolve(composition: Composition): Scene {
  for (const line of linesOf(composition)) {
    for (const { name } of fonts.missing(line)) fonts.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
  }
  return resolveScene(composition, { product: undefined, artworks: new Map(), fonts, figures });
}

const empty = resolve(emptyComposition);

describe.each(badgePresets.map((preset) => [preset.name, preset] as const))('the badge %s', (_name, preset) => {
  const { command, elementId } = addBadge(empty, preset);
  const composition = applyCommand(emptyComposition, command);

  it('is one group of valid elements, with live texts in their arcs', () => {
    expect(composition.elements).toHaveLength(preset.parts.length);
    expect(new Set(composition.elements.map(({ groupId }) => groupId)).size).toBe(1);
    expect(parseComposition(JSON.parse(JSON.stringify(saveComposition(composition))))).toEqual(composition);
    expect(elementId).toBe(`shape:${composition.elements[0]!.id}`);
    const scene = resolve(composition);
    expect(scene.groups).toHaveLength(preset.parts.length);
    expect(scene.missingLetters).toBeUndefined();
    const rooms = textsOf(composition).flatMap((text) => findCircleRoom(text, fonts) ?? []);
    expect(rooms.length).toBeGreaterThan(0);
    for (const { lengthMm, arcMm } of rooms) expect(lengthMm).toBeLessThanOrEqual(arcMm);
  });

  it('is as large as it says, around its middle, and everything lies in it', () => {
    const scene = resolve(composition);
    const corners = scene.groups.flatMap((group) => group.corners);
    const reach = (axis: 'x' | 'y') => Math.max(...corners.map((corner) => Math.abs(corner[axis] - 50)));
    expect(reach('x')).toBeCloseTo(preset.widthMm / 2, 1);
    expect(reach('y')).toBeCloseTo(preset.heightMm / 2, 1);
  });

  it('keeps its proportions on a small machine area', () => {
    const small = { ...empty, widthMm: 64, heightMm: 62 };
    const { command } = addBadge(small, preset);
    const elements = command.type === 'addElements' ? command.elements : [];
    const [large] = composition.elements;
    const [first] = elements;
    const scale = 'widthMm' in first! && 'widthMm' in large! ? first.widthMm / large.widthMm : 0;
    expect(scale).toBeLessThan(1);
    for (const [i, element] of elements.entries()) {
      const before = composition.elements[i]!;
      if (element.kind !== 'text' || before.kind !== 'text') continue;
      expect(element.heightInches).toBeGreaterThanOrEqual(0.11);
      expect(element.heightInches / before.heightInches).toBeCloseTo(scale, 2);
      expect((element.circle?.radiusMm ?? scale) / (before.circle?.radiusMm ?? 1)).toBeCloseTo(scale, 3);
    }
  });
});

it('words of another length keep to the middle line of the ring', () => {
  const elements = badgeElements(badgePresets[0]!, 1, empty, { x: 0, y: 0 });
  const before = { ...emptyComposition, elements };
  const top = textsOf(before)[0]!;
  const after = applyCommand(before, { type: 'updateText', id: top.id, changes: { text: 'OAK' } });
  const bandOf = (composition: Composition) =>
    resolve(composition).groups.find(({ elementId }) => elementId === `text:${top.id}`)!.bandMm;
  expect(bandOf(after)).toEqual(bandOf(before));
  expect(textsOf(after)[0]).toMatchObject({ x: 0, y: 0, circle: top.circle, heightInches: top.heightInches });
});
