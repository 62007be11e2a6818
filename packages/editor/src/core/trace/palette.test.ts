import type { ScenePath } from '@markwright/scene';
import { describe, expect, test } from 'vitest';
import { paintAt, paintSwatches, readHex, readSwatches, restoreSwatches, type Swatch, sayShare } from './palette.ts';

const path = (fill: string | undefined, d: string, changes: Partial<ScenePath> = {}): ScenePath => ({
  kind: 'path',
  d,
  operation: 'print',
  fill,
  stroke: undefined,
  strokeWidth: 0,
  opacity: 1,
  ...changes,
});
const box = (x: number, y: number, side: number) =>
  `M${x} ${y}L${x + side} ${y}L${x + side} ${y + side}L${x} ${y + side}Z`;

const RED = '#c81e1e';
const BLUE = '#1e46c8';
const GREEN = '#1e963c';
/** Red all over, a blue quarter on top of it, a small green square beside. */
const trace = [path(RED, box(0, 0, 100)), path(BLUE, box(0, 0, 50)), path(GREEN, box(80, 80, 10))];
const recolor = (paints: Record<string, string | undefined>) =>
  trace.flatMap((shape) => {
    const paint = shape.fill! in paints ? paints[shape.fill!] : shape.fill;
    return paint === undefined ? [] : [{ ...shape, fill: paint }];
  });
const short = (swatches: readonly Swatch[]) => swatches.map(({ paint, sources }) => [paint, ...sources].join(' '));

const orderOf = (swatches: readonly Swatch[]) => swatches.flatMap(({ sources }) => sources);

describe('swatches', () => {
  test('count what is seen, largest first', () => {
    const swatches = readSwatches(trace);
    expect(swatches.map(({ paint, share }) => [paint, sayShare(share)])).toEqual([
      [RED, '74 %'],
      [BLUE, '25 %'],
      [GREEN, '1 %'],
    ]);
  });

  test('holes show what lies below, and what is too small to count is there', () => {
    const ring = path(BLUE, `${box(0, 0, 100)}${box(25, 25, 50)}`);
    const crumb = path(GREEN, box(1, 1, 0.1));
    const swatches = readSwatches([path(RED, box(0, 0, 100)), ring, crumb]);
    expect(swatches.map(({ paint, share }) => [paint, sayShare(share)])).toEqual([
      [BLUE, '75 %'],
      [RED, '25 %'],
      [GREEN, '<1 %'],
    ]);
  });

  test('lines count by their length', () => {
    const line = (stroke: string, length: number) => path(undefined, `M0 0L${length} 0`, { stroke });
    expect(short(readSwatches([line(RED, 10), line(BLUE, 90)]))).toEqual([`${BLUE} ${BLUE}`, `${RED} ${RED}`]);
  });

  test('keep their places while they are changed', () => {
    const first = readSwatches(trace);
    const edits = [{ color: RED, paint: null }];
    const second = readSwatches(recolor({ [RED]: undefined }), edits, orderOf(first));
    expect(short(second)).toEqual([` ${RED}`, `${BLUE} ${BLUE}`, `${GREEN} ${GREEN}`]);
    expect(second.map(({ key }) => key)).toEqual(first.map(({ key }) => key));
  });

  test('show edits before the new trace arrives', () => {
    const edits = [{ color: RED, paint: '#112233' }];
    expect(short(readSwatches(trace, edits))[0]).toBe(`#112233 ${RED}`);
    const next = [{ color: RED, paint: '#445566' }];
    const behind = recolor({ [RED]: '#112233' });
    expect(short(readSwatches(behind, next, [], [edits]))[0]).toBe(`#445566 ${RED}`);
  });
});

describe('edits', () => {
  const all = readSwatches(trace);
  const [red, blue, green] = all as [Swatch, Swatch, Swatch];

  test('recolor a swatch and restore it', () => {
    const edits = paintSwatches([], all, [red], '#112233');
    expect(edits).toEqual([{ color: RED, paint: '#112233' }]);
    const after = readSwatches(recolor({ [RED]: '#112233' }), edits, orderOf(all));
    expect(short(after)[0]).toBe(`#112233 ${RED}`);
    expect(paintSwatches(edits, after, [after[0]!], RED)).toEqual([]);
    expect(restoreSwatches(edits, [after[0]!])).toEqual([]);
  });

  test('merge colors into one swatch with both sources, and separate them again', () => {
    const edits = paintSwatches([], all, [red], BLUE);
    const after = readSwatches(recolor({ [RED]: BLUE }), edits, orderOf(all));
    expect(short(after)).toEqual([`${BLUE} ${RED} ${BLUE}`, `${GREEN} ${GREEN}`]);
    expect(sayShare(after[0]!.share)).toBe('99 %');
    expect(restoreSwatches(edits, [after[0]!])).toEqual([]);
    // A change of the merged one changes both.
    const palette = paintSwatches(edits, after, [after[0]!], '#000000');
    expect(palette).toEqual([
      { color: RED, paint: '#000000' },
      { color: BLUE, paint: '#000000' },
    ]);
  });

  test('merge several at once, and restore removed ones alone', () => {
    expect(paintSwatches([], all, [blue, green], BLUE)).toEqual([
      { color: BLUE, paint: BLUE },
      { color: GREEN, paint: BLUE },
    ]);
    const palette = paintSwatches([], all, [blue, green], null);
    const after = readSwatches([trace[0]!], palette, orderOf(all));
    expect(short(after)).toEqual([`${RED} ${RED}`, ` ${BLUE}`, ` ${GREEN}`]);
    expect(restoreSwatches(palette, [after[1]!])).toEqual([{ color: GREEN, paint: null }]);
  });

  test('keep two colors apart when one gets the paint that the other lost', () => {
    const palette = paintSwatches([], all, [blue], '#abcdef');
    const after = readSwatches(recolor({ [BLUE]: '#abcdef' }), palette, orderOf(all));
    const swapPalette = paintSwatches(palette, after, [after[0]!], BLUE);
    expect(swapPalette).toEqual([
      { color: BLUE, paint: '#abcdef' },
      { color: RED, paint: BLUE },
    ]);
    const last = readSwatches(recolor({ [BLUE]: '#abcdef', [RED]: BLUE }), swapPalette, orderOf(after));
    expect(short(last)).toEqual([`${BLUE} ${RED}`, `#abcdef ${BLUE}`, `${GREEN} ${GREEN}`]);
  });
});

test('picks the uppermost paint at a point', () => {
  const at = (x: number, y: number, paths = trace) => paintAt(paths, { x, y }, 1);
  expect([at(20, 20), at(70, 20), at(85, 85), at(150, 20)]).toEqual([BLUE, RED, GREEN, undefined]);
  const ring = path(BLUE, `${box(0, 0, 100)}${box(25, 25, 50)}`);
  expect([at(50, 50, [trace[0]!, ring]), at(10, 10, [trace[0]!, ring])]).toEqual([RED, BLUE]);
  const line = path(undefined, 'M0 0L100 100', { stroke: GREEN });
  expect([at(50, 51, [line]), at(50, 60, [line])]).toEqual([GREEN, undefined]);
});

test.each([
  ['#1A2B3C', '#1a2b3c'],
  [' 1a2b3c ', '#1a2b3c'],
  ['#abc', '#aabbcc'],
  ['red', undefined],
  ['#12345', undefined],
])('%s is %s', (text, hex) => expect(readHex(text)).toBe(hex));
