/** Reads the outlines of a plotter file: HPGL with pens, absolute and relative moves, as cutters take it. */
import type { Contour } from '../geometry/pathData.ts';
import { ContourCollector, type ContourFile, decodeTextFile, FileRefused, requireOutlines } from './contourFile.ts';

/** A plotter unit: 40 of them are a millimeter. */
const UNIT_MM = 1 / 40;

/** Commands that draw nothing and change no coordinates: speed, force, line types, sheet, end. */
const harmless = new Set(['IN', 'DF', 'VS', 'FS', 'LT', 'PT', 'PS', 'RO', 'PG', 'SV', 'ZZ', 'AS', 'OW']);

const damage = (what: string) => new FileRefused(`This PLT file is damaged: ${what}.`);

/**
 * Returns the outlines of each pen, as a layer with the pen's number as its name. A line that comes back to where it
 * began is closed. Throws `FileRefused` and nothing else, also for a file that scales its units. Cost: linear.
 */
export function readPlt(bytes: Uint8Array): ContourFile {
  const text = decodeTextFile(bytes);
  const collector = new ContourCollector();
  let pen = 0;
  let isDown = false;
  let isRelative = false;
  let [x, y] = [0, 0];
  let contour: Contour | undefined;

  const end = () => {
    if (!contour) return;
    const { points, commands } = contour;
    const isBack = points[0] === points.at(-2) && points[1] === points.at(-1);
    if (isBack && commands.length > 2) {
      commands.pop();
      points.length -= 2;
      contour.isClosed = true;
    }
    collector.add(String(pen), [contour]);
    contour = undefined;
  };
  const move = (numbers: readonly number[]) => {
    if (numbers.length % 2 === 1) throw damage('a move has no y');
    collector.requireRoom((numbers.length + (contour?.points.length ?? 0)) / 2);
    for (let i = 0; i < numbers.length; i += 2) {
      const [fromX, fromY] = [x, y];
      x = (isRelative ? x : 0) + numbers[i]!;
      y = (isRelative ? y : 0) + numbers[i + 1]!;
      if (!isDown) continue;
      contour ??= { commands: [], points: [fromX * UNIT_MM, -fromY * UNIT_MM], isClosed: false };
      contour.commands.push('L');
      contour.points.push(x * UNIT_MM, -y * UNIT_MM);
    }
  };

  for (const { name, numbers } of readCommands(text)) {
    collector.countEntity();
    switch (name) {
      case 'PU':
      case 'PD':
        if (name === 'PU') end();
        isDown = name === 'PD';
        move(numbers);
        break;
      case 'PA':
      case 'PR':
        isRelative = name === 'PR';
        move(numbers);
        break;
      case 'SP':
        end();
        pen = numbers[0] ?? 0;
        break;
      case 'SC':
      case 'IP':
        if (numbers.length > 0) throw new FileRefused('This PLT file scales its units, which is not read.');
        break;
      default:
        if (!harmless.has(name)) collector.drop(name);
    }
  }
  end();
  requireOutlines(collector);
  return {
    frame: undefined,
    origin: 'bottomLeft',
    layers: [...collector.layers].map(([name, outlines]) => ({
      name,
      color: undefined,
      operation: undefined,
      outlines,
    })),
    droppedKinds: collector.droppedKinds,
  };
}

interface Command {
  readonly name: string;
  readonly numbers: readonly number[];
}

function* readCommands(text: string): Generator<Command> {
  const pattern = /[\s;]*([A-Za-z]{2})([^A-Za-z;]*)/y;
  let at = 0;
  for (;;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) break;
    at = pattern.lastIndex;
    const name = match[1]!.toUpperCase();
    const numbers = harmless.has(name) ? [] : readNumbers(match[2]!);
    yield { name, numbers };
  }
  if (text.slice(at).replace(/[\s;]+/g, '') !== '') throw new FileRefused('This file is no PLT file.');
}

function readNumbers(text: string): number[] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.map((word) => {
    const value = Number(word);
    if (!(Math.abs(value) < 1e9)) throw damage('a number in it cannot be read');
    return value;
  });
}
