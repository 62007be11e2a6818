import { createEditor } from '@markwright/editor';
import { ArtworkElement, emptyComposition, type Finding, featureRequest, preflight } from '@markwright/scene';
import { measureFeatures } from '@markwright/scene/features';
import { vectorize, writeSvg } from '@markwright/vectorizer';
import { expect, test } from 'vitest';
import { readTrace } from '../tracer/readTrace.ts';

const SIDE_PX = 560;
const CELL_PX = 6;

/** A photograph's grain: a dot of three or four pixels in each cell, and some large disks among them. */
function grain() {
  const data = new Uint8ClampedArray(SIDE_PX * SIDE_PX * 4).fill(255);
  const set = (x: number, y: number) => data.fill(0, (y * SIDE_PX + x) * 4, (y * SIDE_PX + x) * 4 + 3);
  let seed = 17;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let y = 1; y < SIDE_PX - CELL_PX; y += CELL_PX) {
    for (let x = 1; x < SIDE_PX - CELL_PX; x += CELL_PX) {
      const side = random() < 0.5 ? 3 : 4;
      const isDisk = Math.hypot((x % 140) - 70, (y % 140) - 70) < 30;
      for (let dy = 0; dy < (isDisk ? CELL_PX : side); dy++) {
        for (let dx = 0; dx < (isDisk ? CELL_PX : side); dx++) set(x + dx, y + dy);
      }
    }
  }
  return { width: SIDE_PX, height: SIDE_PX, data };
}

/** Returns what preflight says of the detail of a trace on a small mark, where everything is near to everything. */
function judge(despeckle: number): Finding | undefined {
  // Thousands of dots, which are neither refined nor compared with circles: that takes ten times as long as the rest.
  const drawing = vectorize(grain(), { maxColors: 2, despeckle, refine: false, shapes: false });
  const editor = createEditor({
    composition: { ...emptyComposition, elements: [ArtworkElement.parse({ designId: 'd1', size: 20 })] },
  });
  editor.setArtwork('design', readTrace(writeSvg(drawing)));
  const { composition, assets, scene } = editor.getState();
  const findings = preflight(composition, assets, scene, {
    featuresOf: (group) => measureFeatures(featureRequest(scene, group)),
    pictureOf: () => ({ widthPx: SIDE_PX, heightPx: SIDE_PX }),
  });
  return findings.find(({ kind }) => kind === 'tooDetailed');
}

test('a trace that is too detailed to measure can be after its fix', () => {
  const before = judge(2);
  expect(before?.sentence).toMatch(/one part has [\d,]+ points, 30,000 is the most\.$/);
  const fix = before!.fix!;
  const despeckle = 'despeckle' in fix ? fix.despeckle : 0;
  expect(fix.label).toBe(`Raise Despeckle to ${despeckle}`);
  expect(despeckle).toBeGreaterThan(2);
  expect(judge(despeckle)).toBeUndefined();
});
