import type { ScenePath } from '@markwright/scene';
import { expect, test } from 'vitest';
import { readNodes, sayNodes, sayOpen, sayOperations } from './nodes.ts';

const path = (d: string, fill?: string): ScenePath => ({
  kind: 'path',
  d,
  operation: 'print',
  fill,
  stroke: fill ? undefined : '#000000',
  strokeWidth: 1,
  opacity: 1,
});

test('counts points once, holes as paths, and lines that end as open', () => {
  const nodes = readNodes([
    path('M0 0L10 0L10 10L0 0ZM2 1L3 1L3 2Z', '#000000'),
    path('M0 0C0 5 5 10 10 10L20 10'),
    path('M0 0L4 0L4 4', '#ff0000'), // filled, and so closed
  ]);
  expect([nodes.paths, nodes.nodes, nodes.open]).toEqual([4, 3 + 3 + 3 + 3, 1]);
  expect([...nodes.handles]).toEqual([0, 0, 0, 5, 10, 10, 5, 10]);
  expect(`${sayNodes(nodes)} · ${sayOpen(nodes)}`).toBe('4 paths · 12 nodes · 1 open');
});

test('formats numbers as people read them', () => {
  expect(sayNodes({ paths: 1, nodes: 23_456, open: 0 })).toBe('1 path · 23,456 nodes');
  expect(sayOpen({ paths: 1, nodes: 2, open: 0 })).toBe('all closed');
});

test('counts lines that meet end to end as the one line that leaves', () => {
  const line = (d: string, operation: ScenePath['operation'] = 'cut') => ({ ...path(d), operation });
  const sides = ['M0 0L9 0', 'M9 5L9 0', 'M9 5L0 5', 'M0 0L0 5'].map((d) => line(d));
  expect(sayOperations(sides)).toBe('1 cut');
  // A third end at a corner goes on by itself, and a layer of scores is another run.
  expect(sayOperations([...sides, line('M9 5L20 20'), line('M30 0L40 0ZM50 0L60 0')])).toBe('4 cut');
  expect(sayOperations([...sides, line('M9 5L20 20', 'score')])).toBe('1 scored · 1 cut');
  expect(sayOperations(sides.map(({ d }) => line(d, 'guide')))).toBe('4 guide');
});
