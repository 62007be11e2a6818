/** What each file says besides its outlines. That the outlines are right is tested in machineFiles.test.ts. */
import { describe, expect, it } from 'vitest';
import { signedArea } from '../../geometry/measure.ts';
import { type Contour, tightBounds } from '../../geometry/pathData.ts';
import { readPlt } from '../../import/readPlt.ts';
import { parseXml, type XmlElement } from '../../import/xmlTree.ts';
import { randomJob } from '../randomJobs.ts';
import { writeDxf } from './dxf.ts';
import { writeLightBurn } from './lightBurn.ts';
import { pltPlates, writePlt } from './plt.ts';
import { svgPresets, writeSvgPreset } from './svgPresets.ts';
import { writeXcs } from './xcs.ts';

const job = randomJob(7);
const attributes = (text: string, name: string) =>
  new Set([...text.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value));
const elementsOf = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(elementsOf)];

describe('SVG', () => {
  it.each(svgPresets)('of %s is at true size, of plain paths', (preset) => {
    const root = parseXml(writeSvgPreset(job, preset));
    expect(root.attrs).toMatchObject({
      width: `${job.widthMm}mm`,
      height: `${job.heightMm}mm`,
      viewBox: `0 0 ${job.widthMm} ${job.heightMm}`,
    });
    expect(new Set(elementsOf(root).map(({ tag }) => tag))).toEqual(new Set(['svg', 'g', 'path']));
    const names = new Set(elementsOf(root).flatMap(({ tag, attrs }) => (tag === 'svg' ? [] : Object.keys(attrs))));
    expect([...names].sort()).toEqual(['d', 'fill', 'fill-rule', 'id', 'stroke', 'stroke-width']);
  });

  it('for LightBurn has the palette’s colors, with a stroke on what is filled, and the guide', () => {
    const svg = writeSvgPreset(job, 'lightburn');
    expect(attributes(svg, 'stroke')).toEqual(
      new Set(['#000000', '#808080', '#B4B4B4', '#0000FF', '#FF0000', '#F36926']),
    );
    expect(attributes(svg, 'stroke-width')).toEqual(new Set(['0.1']));
  });

  it.each(['glowforge', 'xtool'] as const)('for %s has one path for each step, in the order of its color', (preset) => {
    const steps = parseXml(writeSvgPreset(job, preset)).children.map(({ children }) => {
      expect(children).toHaveLength(1);
      const { fill, stroke } = children[0]!.attrs;
      expect([fill, stroke]).toContain('none');
      return Number.parseInt((fill === 'none' ? stroke : fill)!.slice(1), 16);
    });
    expect(steps).toHaveLength(5);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  it('for drivers has hairlines in the driver’s exact colors, and no stroke on what is filled', () => {
    const svg = writeSvgPreset(job, 'hairline');
    expect(attributes(svg, 'stroke-width')).toEqual(new Set(['0.025']));
    expect(attributes(svg, 'stroke')).toEqual(new Set(['none', '#0000FF', '#FF0000']));
  });

  it('for Cricut has one path for each color', () => {
    expect(parseXml(writeSvgPreset(job, 'cricut')).children.map(({ children }) => children.length)).toEqual([
      1, 1, 1, 1, 1,
    ]);
  });
});

describe('DXF', () => {
  const lines = writeDxf(job).toString().split('\r\n');
  const tags = Array.from(
    { length: (lines.length - 1) / 2 },
    (_, i) => [Number(lines[2 * i]), lines[2 * i + 1]!] as const,
  );

  it('is R12 in mm, with lines that end as in DOS', () => {
    expect(lines.join('')).not.toMatch(/[\r\n]/);
    expect(lines.slice(4, 8)).toEqual(['9', '$ACADVER', '1', 'AC1009']);
    const after = (name: string) => tags[tags.findIndex(([, value]) => value === name) + 1];
    expect(after('$INSUNITS')).toEqual([70, '4']);
    expect(after('$MEASUREMENT')).toEqual([70, '1']);
    expect(tags.at(-1)).toEqual([0, 'EOF']);
  });

  it('has polylines with vertices alone, each with its layer and color', () => {
    const start = tags.findIndex(([, value]) => value === 'ENTITIES');
    const kinds = new Set(tags.slice(start).flatMap(([code, value]) => (code === 0 ? value : [])));
    expect(kinds).toEqual(new Set(['POLYLINE', 'VERTEX', 'SEQEND', 'ENDSEC', 'EOF']));
    const polylines = tags.filter(([code, value]) => code === 0 && value === 'POLYLINE').length;
    expect(tags.filter(([code, value]) => code === 66 && value === '1')).toHaveLength(polylines);
    const layers = new Set(tags.slice(start).flatMap(([code, value]) => (code === 8 ? value : [])));
    expect(layers).toEqual(new Set(['ENGRAVE-C00', 'ENGRAVE-C16', 'ENGRAVE-C08', 'SCORE-C01', 'CUT-C02', 'GUIDE-T1']));
    const colors = new Set(tags.slice(start).flatMap(([code, value]) => (code === 62 ? value : [])));
    expect(colors).toEqual(new Set(['7', '8', '9', '5', '1', '30']));
  });
});

describe('LightBurn project', () => {
  const root = parseXml(String(writeLightBurn(job, { notes: ['For "Tom" & <Ann>\nRush \u0001'] })));
  const settings = root.children.filter(({ tag }) => tag === 'CutSetting');
  const readValue = (element: XmlElement, name: string) =>
    element.children.find(({ tag }) => tag === name)?.attrs.Value;

  it('names no machine, and has y up', () => {
    expect(root.attrs).toEqual({
      AppVersion: '1.7.08',
      FormatVersion: '1',
      MaterialHeight: '0',
      MirrorX: 'False',
      MirrorY: 'False',
    });
  });

  it('has a setting for each plate, in running order', () => {
    expect(
      settings.map((setting) => [setting.attrs.type, readValue(setting, 'index'), readValue(setting, 'priority')]),
    ).toEqual([
      ['Scan', '0', '0'],
      ['Scan', '16', '1'],
      ['Scan', '8', '2'],
      ['Cut', '1', '3'],
      ['Cut', '2', '4'],
      ['Tool', '30', '5'],
    ]);
    const preferences = root.children.find(({ tag }) => tag === 'UIPrefs')!;
    expect(readValue(preferences, 'Optimize_ByPriority')).toBe('1');
    expect(readValue(preferences, 'Optimize_InnerToOuter')).toBe('1');
  });

  it('marks placeholders, which are weak, and says so in its notes', () => {
    for (const setting of settings.slice(0, 5)) {
      expect(readValue(setting, 'name')).toMatch(/ - SET POWER$/);
      expect(Number(readValue(setting, 'maxPower'))).toBeLessThanOrEqual(1);
    }
    expect(readValue(settings[5]!, 'name')).toBe('Guide T1');
    const notes = root.children.find(({ tag }) => tag === 'Notes')!;
    expect(notes.attrs.ShowOnLoad).toBe('1');
    expect(notes.attrs.Notes).toContain('Open this file');
    expect(notes.attrs.Notes).toContain('SET POWER');
    expect(notes.attrs.Notes!.endsWith('For "Tom" & <Ann>\nRush ')).toBe(true);
  });

  it('has both handles at every vertex', () => {
    for (const { text } of elementsOf(root).filter(({ tag }) => tag === 'VertList')) {
      expect(text).toMatch(/^(V-?[\d.]+ -?[\d.]+c0x-?[\d.]+(c0y-?[\d.]+)?c1x-?[\d.]+(c1y-?[\d.]+)?)+$/);
    }
  });
});

describe('xTool project', () => {
  it('has the true box of every path, and one layer for each plate', () => {
    const project = JSON.parse(writeXcs(job));
    const [canvas] = project.canvas;
    expect(Object.keys(canvas.layerData)).toEqual(['#000000', '#808080', '#b4b4b4', '#0000ff', '#ff0000']);
    for (const display of canvas.displays) {
      expect(display).toMatchObject({
        type: 'PATH',
        angle: 0,
        skew: { x: 0, y: 0 },
        graphicX: display.x,
        graphicY: display.y,
      });
      expect(display.x).toBeGreaterThanOrEqual(0);
      expect(display.x + display.width).toBeLessThanOrEqual(job.widthMm);
      expect(display.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    }
    expect(new Set(canvas.displays.map(({ id }: { id: string }) => id)).size).toBe(canvas.displays.length);
  });
});

describe('PLT', () => {
  it('has a pen for each plate, and moves in whole units only', () => {
    const text = writePlt(job);
    expect(text).toMatch(/^IN;PA;\nSP1;\n/);
    expect(text).toMatch(/\nPU;\nSP0;\n$/);
    expect([...text.matchAll(/SP(\d);/g)].map(([, pen]) => pen)).toEqual(['1', '2', '3', '4', '5', '0']);
    expect(text.replace(/^(IN;PA;|SP\d;|PU;|PU-?\d+,-?\d+;|PD-?\d+(,-?\d+)+;)$/gm, '').trim()).toBe('');
  });

  it('keeps the area of a layer where its grid allows it, and no point goes farther for that', () => {
    let [layers, over] = [0, 0];
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomJob(seed, 12);
      const file = readPlt(new TextEncoder().encode(writePlt(random)));
      for (const [i, { outlines }] of pltPlates(random).entries()) {
        const exact = outlines.flatMap(({ contours }) => contours);
        const read = file.layers[i]!.outlines.flat();
        const area = (contours: readonly Contour[]) =>
          contours.reduce((sum, contour) => sum + (contour.isClosed ? Math.abs(signedArea(contour)) : 0), 0);
        layers++;
        if (Math.abs(area(read) - area(exact)) > Math.max(0.05, 0.001 * area(exact))) over++;
        for (const [k, contour] of exact.entries()) {
          const [a, b] = [tightBounds([contour]), tightBounds([read[k]!])];
          const sides = [a.minX - b.minX, a.maxX - b.maxX];
          const levels = [a.minY - random.heightMm - b.minY, a.maxY - random.heightMm - b.maxY];
          expect(Math.max(...[...sides, ...levels].map(Math.abs)), `seed ${seed}`).toBeLessThanOrEqual(0.0155);
        }
      }
    }
    // Rounding alone leaves five of them over.
    expect([layers, over]).toEqual([300, 0]);
  });

  it('closes a line without a step of a unit, and cuts no step there and back', () => {
    const [plate] = pltPlates(job);
    let tips = 0;
    for (let seed = 1; seed <= 200; seed++) {
      // Points a quarter of a millimeter apart, some with a needle that is narrower than the grid. The last line goes
      // back to the start.
      const points = Array.from({ length: 40 }, (_, k) => {
        const [angle, radius] = [(k * Math.PI) / 20 + seed, 1.7 + seed / 397];
        const [x, y] = [5 + radius * Math.cos(angle), 5 + radius * Math.sin(angle)];
        return k % 4 === 2 ? [x, y, x + 0.024 * Math.cos(angle), y + 0.024 * Math.sin(angle), x + 0.001, y] : [x, y];
      }).flat();
      const ring = [...points, points[0]!, points[1]!];
      const commands = Array.from({ length: ring.length / 2 - 1 }, () => 'L' as const);
      const contours: Contour[] = [{ commands, points: ring, isClosed: true }];
      const text = writePlt({ ...job, plates: [{ ...plate!, outlines: [{ ...plate!.outlines[0]!, contours }] }] });
      const [, start, rest] = /PU(.+);\nPD(.+);/.exec(text)!;
      const units = `${start},${rest}`.split(',').map(Number);
      const count = units.length / 2 - 1;
      const stepTo = (k: number) =>
        Math.hypot(units[2 * k + 2]! - units[2 * k]!, units[2 * k + 3]! - units[2 * k + 1]!);
      expect(stepTo(count - 1), `seed ${seed}`).toBeGreaterThan(5);
      for (let k = 0; k + 2 <= count; k++) {
        const isBack = units[2 * k] === units[2 * k + 4] && units[2 * k + 1] === units[2 * k + 5];
        expect(isBack, `seed ${seed}`).toBe(false);
        if (stepTo(k) < 2) tips++;
      }
    }
    expect(tips).toBeGreaterThan(500);
  });
});
