import { describe, expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import type { CodeElement, Composition, CompositionElement, MachineMode } from '../document/composition.ts';
import { emptyComposition, newArtwork, newCode, newShape } from '../document/initial.ts';
import { createFigures } from '../figures/figures.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets } from '../resolve/scene.ts';
import type { Finding } from './finding.ts';
import { preflight } from './preflight.ts';

const square: Artwork = {
  width: 10,
  height: 10,
  shapes: [{ d: 'M0 0L10 0L10 10L0 10Z', fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 }],
};

const assets: Assets = {
  product: undefined,
  artworks: new Map([['design', square]]),
  fonts: { outline: () => undefined },
  figures: createFigures(),
};

const judge = (composition: Composition): Finding[] =>
  preflight(composition, assets, resolveScene(composition, assets), { featuresOf: () => undefined });

/** Judges elements on a bare frame of 100 × 100 mm. */
const judgeElements = (elements: CompositionElement[], machine: MachineMode = 'laser'): Finding[] =>
  judge({ ...emptyComposition, machine, elements });

/** A QR code of 21 × 21 modules. */
const qr = (changes: Partial<CodeElement> = {}): CodeElement => ({
  ...newCode('c'),
  data: 'HELLO',
  widthMm: 21,
  ...changes,
});

const kinds = (findings: readonly Finding[]) => findings.map(({ kind }) => kind);

it.each([
  ['laser', 0.25],
  ['uv', 0.35],
  ['sublimation', 0.3],
  ['dtf', 0.7],
] as const)('a %s makes modules of %d mm and no smaller ones', (machine, moduleMm) => {
  const judgeModule = (mm: number) => judgeElements([qr({ widthMm: 21 * mm })], machine);
  expect(kinds(judgeModule(moduleMm + 0.001))).toEqual([]);
  const [finding] = judgeModule(moduleMm - 0.01);
  expect(finding).toMatchObject({ kind: 'smallCode', elementId: 'code:c' });
  expect(finding!.sentence).toContain(`below ${moduleMm} mm`);
  // One click makes it large enough, and no larger than a step of its field.
  const { commands } = finding!.fix as { commands: readonly Command[] };
  const composition = { ...emptyComposition, machine, elements: [qr({ widthMm: 21 * (moduleMm - 0.01) })] };
  const after = commands.reduce(applyCommand, composition);
  expect(judge(after)).toEqual([]);
  const { widthMm } = after.elements[0] as CodeElement;
  expect(widthMm).toBeGreaterThanOrEqual(21 * moduleMm - 0.001);
  expect(widthMm).toBeLessThan(21 * moduleMm + 0.1);
});

describe('what lies in the quiet zone', () => {
  // The code reaches from 39.5 to 60.5 mm, its quiet zone of 4 modules from 35.5 to 64.5 mm.
  const design = (leftMm: number, sizeMm: number, changes = {}) => ({
    ...newArtwork('d'),
    filename: 'logo.svg',
    size: sizeMm,
    x: leftMm + sizeMm / 2 - 50,
    ...changes,
  });

  it('is named, from either side, to a few hundredths of a millimeter', () => {
    expect(kinds(judgeElements([design(25.45, 10), qr()]))).toEqual([]);
    expect(kinds(judgeElements([design(64.55, 10), qr()]))).toEqual([]);
    const findings = judgeElements([design(25.6, 10), qr()]);
    expect(findings).toMatchObject([{ kind: 'quietZone', elementId: 'code:c' }]);
    expect(findings[0]!.sentence).toContain('“logo.svg” reaches into the code or the 4 mm beside it');
    expect(kinds(judgeElements([design(64.4, 10), qr()]))).toEqual(['quietZone']);
  });

  it('may stand around it: a frame is no mark in it', () => {
    const frame = (sideMm: number) => ({ ...newShape('f'), widthMm: sideMm, heightMm: sideMm, strokeMm: 2 });
    expect(kinds(judgeElements([frame(34), qr()]))).toEqual([]);
    expect(kinds(judgeElements([frame(32), qr()]))).toEqual(['quietZone']);
    expect(kinds(judgeElements([frame(34), qr({ angleDeg: 45 })]))).toEqual(['quietZone']);
  });

  it('is all that lies below it on a laser; a printer may lay a light ground', () => {
    const ground = (color: string) => ({ ...newShape('g'), widthMm: 50, heightMm: 50, color });
    expect(kinds(judgeElements([ground('#000000'), qr()]))).toEqual(['quietZone']);
    expect(kinds(judgeElements([ground('#FFFFFF'), qr()], 'uv'))).toEqual([]);
    expect(kinds(judgeElements([ground('#1E7D3C'), qr()], 'uv'))).toEqual(['quietZone']);
    expect(kinds(judgeElements([qr(), ground('#FFFFFF')], 'uv'))).toEqual(['quietZone']);
  });
});

it('a code that cannot be made is left out and named; one without data is not', () => {
  const [finding, ...others] = judgeElements([qr({ symbology: 'ean13', data: '123' })]);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ kind: 'badCode', elementId: 'code:c', title: 'Code left out' });
  expect(judgeElements([qr({ data: '' })])).toEqual([]);
});

it('a mirrored code is named, and flipped back', () => {
  const [finding] = judgeElements([qr({ isFlipped: true })]);
  expect(finding!.kind).toBe('mirroredCode');
  const { commands } = finding!.fix as { commands: readonly Command[] };
  const composition = { ...emptyComposition, elements: [qr({ isFlipped: true })] };
  expect(judge(commands.reduce(applyCommand, composition))).toEqual([]);
});

it('a code in light marks is inverted with a click', () => {
  const product = {
    pictureHref: '',
    pictureAspect: 1,
    printArea: { x: 0, y: 0, width: 1, height: 1 },
    printWidthInches: 4,
    printHeightInches: 4,
    finish: { material: 'slate', markColor: '#dddddd' },
  };
  const onSlate = { ...assets, product };
  const judgeOnSlate = (composition: Composition) =>
    preflight(composition, onSlate, resolveScene(composition, onSlate), { featuresOf: () => undefined });
  const composition = { ...emptyComposition, productId: 'p', elements: [qr()] };
  const [finding, ...others] = judgeOnSlate(composition);
  expect(others).toEqual([]);
  expect(finding!.kind).toBe('lightCode');
  const { commands } = finding!.fix as { commands: readonly Command[] };
  expect(judgeOnSlate(commands.reduce(applyCommand, composition))).toEqual([]);
});
