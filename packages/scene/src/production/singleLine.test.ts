/** Texts of single lines, from the composition to every file of a machine. */
import { readFileSync } from 'node:fs';
import { fontCategories } from '@markwright/fonts';
import { findFontPath } from '@markwright/fonts/files';
import { describe, expect, it } from 'vitest';
import type { Composition, MachineMode, TextElement } from '../document/composition.ts';
import { emptyComposition, newText } from '../document/initial.ts';
import { lengthOf } from '../geometry/measure.ts';
import { tightBounds } from '../geometry/pathData.ts';
import { measureFeatures } from '../preflight/features.ts';
import { featureRequest, preflight } from '../preflight/preflight.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets, FontSource } from '../resolve/scene.ts';
import { createFontBook } from '../text/text.ts';
import { buildJob } from './buildJob.ts';
import type { ColorPlate, OutlinePlate } from './job.ts';
import { checkOutlineFile, outlineFormats, readOutlineFile, writeOutlineFile } from './machineFiles.ts';

const book = createFontBook();
const fonts: FontSource = {
  outline(line) {
    for (const { name } of book.missing(line)) book.add(name, readFileSync(findFontPath(name)!));
    return book.outline(line);
  },
};
const assets: Assets = { product: undefined, artworks: new Map(), fonts };

function compose(machine: MachineMode, changes: Partial<TextElement>): Composition {
  const text = { ...newText('t1'), text: 'Rolf & Mia\n2026', fontFamily: 'EMS Allure', heightInches: 0.5, ...changes };
  return { ...emptyComposition, machine, elements: [text] };
}
const sceneOf = (machine: MachineMode, changes: Partial<TextElement> = {}) =>
  resolveScene(compose(machine, changes), assets);

const families = fontCategories.find(({ id }) => id === 'single-line')!.fonts.map(({ family }) => family);

describe('on a laser', () => {
  it.each(families)('%s is scored: open lines, each once, and no more', (fontFamily) => {
    const { plates, findings } = buildJob(sceneOf('laser', { fontFamily }));
    expect(plates.map(({ kind }) => kind)).toEqual(['score']);
    const contours = (plates[0] as OutlinePlate).outlines.flatMap((outline) => outline.contours);
    expect(contours.filter(({ isClosed }) => !isClosed).length).toBeGreaterThan(8);
    // What a source draws twice is burnt once.
    expect(findings.filter(({ kind, withId }) => kind !== 'duplicateCut' || withId !== undefined)).toEqual([]);
    const doubledMm = findings.reduce((sum, { lengthMm }) => sum + lengthMm, 0);
    expect(doubledMm).toBeLessThan(0.03 * contours.reduce((sum, contour) => sum + lengthOf(contour), 0));
  });

  it.each(outlineFormats)('the lines are in the file as they are in the job: %s', (format) => {
    for (const bend of [0, 40]) {
      const job = buildJob(sceneOf('laser', { bend, textDecoration: 'underline' }));
      const bytes = new TextEncoder().encode(String(writeOutlineFile(job, format)));
      expect(checkOutlineFile(bytes, job, format)).toEqual([]);
      const { layers } = readOutlineFile(bytes, format);
      expect(layers).toHaveLength(1);
      expect(layers[0]!.outlines.flat().some(({ isClosed }) => !isClosed)).toBe(true);
    }
  });

  it('engraved by choice, they are filled as wide as a pen; cut, their open ends are named', () => {
    const engraving = buildJob(sceneOf('laser', { operation: 'engrave' }));
    expect(engraving.plates.map(({ kind }) => kind)).toEqual(['engrave']);
    const cut = buildJob(sceneOf('laser', { operation: 'cut' }));
    expect(cut.findings.map(({ kind }) => kind)).toContain('openContour');
  });

  it('a stroke straight up has a box that can be scaled', () => {
    const [group] = sceneOf('laser', { text: 'l', fontFamily: 'Hershey Sans' }).groups;
    expect(group!.sizeMm.width).toBeGreaterThan(0.1);
  });

  it('preflight names letters that are missing and capitals that are too low, and no thin line', () => {
    const kinds = (changes: Partial<TextElement>) => {
      const composition = compose('laser', changes);
      const scene = resolveScene(composition, assets);
      const features = new Map(
        scene.groups.map((group) => [group.elementId, measureFeatures(featureRequest(scene, group))]),
      );
      return preflight(composition, assets, scene, { featuresOf: ({ elementId }) => features.get(elementId) }).map(
        ({ kind }) => kind,
      );
    };
    expect(kinds({})).toEqual([]);
    expect(kinds({ text: 'Łódź' })).toEqual(['missingLetters']);
    expect(kinds({ heightInches: 0.05 })).toEqual(['smallText']);
  });
});

describe('in ink', () => {
  it.each(['uv', 'dtf', 'sublimation'] as const)('they are drawn by a pen: %s', (machine) => {
    const scene = sceneOf(machine);
    const plate = buildJob(scene).plates.find(({ kind }) => kind === 'color') as ColorPlate;
    const shapes = plate.groups.flatMap((group) => group.shapes);
    expect(shapes.map(({ fill, strokeWidthMm }) => [fill, strokeWidthMm.toFixed(3)])).toEqual([
      [undefined, '0.508'],
      [undefined, '0.508'],
    ]);
    // The box is that of the ink, which the pen widens.
    const bounds = tightBounds(shapes.flatMap(({ contours }) => contours));
    expect(scene.groups[0]!.sizeMm.width).toBeCloseTo(bounds.maxX - bounds.minX + 0.508, 2);
  });
});
