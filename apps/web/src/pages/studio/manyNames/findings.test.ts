import type { Finding, FindingKind } from '@markwright/scene';
import { expect, test } from 'vitest';
import type { FittedRow } from '../../../studioHost/useFits.ts';
import { gatherFindings, hasFindings } from './findings.ts';

const finding = (kind: FindingKind, elementId = 'text:name'): Finding => ({
  ...{ kind, severity: 'problem', elementId, title: kind, sentence: '', places: [] },
});
const row = (text: string, ...kinds: FindingKind[]): FittedRow => ({
  texts: [{ elementId: 'text:name', text, percent: 100, isBroken: false }],
  findings: [],
  preflight: kinds.map((kind) => finding(kind)),
  box: { minX: 0, minY: 0, maxX: 1, maxY: 1 },
});

test('what all pieces have is said once, and the rest by the numbers of the rows that are made', () => {
  const fits = [row('Ada', 'smallText'), row('Grace\nHopper', 'smallText', 'outside'), row('Ida', 'smallText')];
  const open = gatherFindings([], fits, [1, 3, 4]);
  expect(open.everyRow.map(({ kind }) => kind)).toEqual(['smallText']);
  expect(open.rows).toEqual([{ rowNumber: 3, text: 'Grace Hopper', findings: [finding('outside')] }]);
});

test('the stage adds what is measured there; its own text is no row', () => {
  const stage = [finding('thinLine', 'artwork:logo'), finding('smallText'), finding('outside', 'artwork:logo')];
  const open = gatherFindings(stage, [row('Ada'), row('Ben')], [1, 2]);
  expect(open.everyRow).toEqual([stage[0]]);
  expect(open.rows).toEqual([]);
  expect(hasFindings(gatherFindings([], [row('Ada')], [1]))).toBe(false);
});

test('a single piece is a row of its own', () => {
  expect(gatherFindings([], [row('Ada', 'smallText')], [7]).rows).toMatchObject([{ rowNumber: 7 }]);
});
