import { describe, expect, it } from 'vitest';
import { type Contour, readContours, tightBounds, transformContours, writeContours } from '../geometry/pathData.ts';
import { deviation, toLine } from '../geometry/testShapes.ts';
import { writeOutlineFile } from '../production/machineFiles.ts';
import { randomJob } from '../production/randomJobs.ts';
import { FileRefused } from './contourFile.ts';
import { joinTouching } from './joinTouching.ts';
import { convertOutlineUpload } from './outlineUpload.ts';
import { readArtwork } from './readArtwork.ts';
import { readSvg } from './svgSafe.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const MM_PER_PX = 25.4 / 96;

/** Returns the shapes of an upload as the studio gets them, in mm. */
function upload(text: string, format: 'dxf' | 'lbrn2' | 'svg' = 'dxf') {
  const { svg, droppedKinds } =
    format === 'svg' ? { svg: text, droppedKinds: [] } : convertOutlineUpload(encode(text))!;
  const safe = readSvg(svg);
  expect(safe.droppedTags).toEqual([]);
  const artwork = readArtwork(safe)!;
  return { artwork, droppedKinds, widthMm: artwork.width * MM_PER_PX, heightMm: artwork.height * MM_PER_PX };
}

/** Contours in mm as fine lines, in an order that their boxes give. */
const linesOf = (contours: readonly Contour[], scaling: number, dx = 0, dy = 0) =>
  transformContours(contours, { a: scaling, b: 0, c: 0, d: scaling, e: -dx, f: -dy })
    .map((contour) => ({ contour, box: tightBounds([contour]) }))
    .sort(({ box: a }, { box: b }) => a.minX - b.minX || a.minY - b.minY || a.maxX - b.maxX)
    .map(({ contour }) => ({ isClosed: contour.isClosed, line: toLine(contour) }));

describe('an uploaded file', () => {
  it.each(['dxf', 'lbrn2', 'svg'] as const)('of our own comes back within 0.01 mm of every point: %s', (format) => {
    for (let seed = 1; seed <= 6; seed++) {
      const job = randomJob(seed, 9);
      const { artwork, widthMm, heightMm } = upload(writeOutlineFile(job, format, { preset: 'xtool' }), format);
      const contours = job.plates.flatMap((plate) =>
        plate.kind === 'color' || plate.kind === 'guide' ? [] : plate.outlines.flatMap((outline) => outline.contours),
      );
      const { widthMm: maxX, heightMm: maxY } = job;
      const frame = format === 'svg' ? { minX: 0, minY: 0, maxX, maxY } : tightBounds(contours);
      expect(Math.abs(widthMm - (frame.maxX - frame.minX))).toBeLessThan(0.01);
      expect(Math.abs(heightMm - (frame.maxY - frame.minY))).toBeLessThan(0.01);
      const actual = linesOf(
        artwork.shapes.flatMap(({ d }) => readContours(d)),
        MM_PER_PX,
      );
      const expected = linesOf(contours, 1, frame.minX, frame.minY);
      expect(actual).toHaveLength(expected.length);
      for (const [i, { line, isClosed }] of expected.entries()) {
        expect(actual[i]!.isClosed).toBe(isClosed);
        expect(deviation(line, actual[i]!.line)).toBeLessThan(0.01);
        expect(deviation(actual[i]!.line, line)).toBeLessThan(0.01);
      }
      const paints = new Set(artwork.shapes.map(({ fill, stroke }) => fill ?? stroke));
      expect(paints).toContain('#ff0000');
      expect(paints).toContain('#0000ff');
      expect(paints).toContain('#000000');
    }
  });
});

describe('convertOutlineUpload', () => {
  const line = (layer: string, [x1, y1, x2, y2]: readonly number[]) =>
    ['0', 'LINE', '8', layer, '10', x1, '20', y1, '11', x2, '21', y2].join('\n');
  /** Four lines, drawn one by one and not around. */
  const square = (layer: string, low: number, high: number) =>
    [
      [low, low, high, low],
      [high, high, high, low],
      [high, high, low, high],
      [low, high, low, low],
    ]
      .map((points) => line(layer, points))
      .join('\n');
  const drawing = (...entities: string[]) =>
    ['0', 'SECTION', '2', 'ENTITIES', ...entities, '0', 'ENDSEC', '0', 'EOF'].join('\n');
  const paintsOf = (text: string, format?: 'lbrn2') =>
    upload(text, format).artwork.shapes.map(({ d, fill, stroke }) => [
      fill ?? 'line',
      stroke,
      readContours(d).map(({ isClosed }) => isClosed),
    ]);

  it('follows what lies on a layer without an operation as lines, and fills what is engraved, with holes', () => {
    const lone = line('0', [30, 0, 40, 9]);
    const plain = drawing(square('0', 0, 20), square('0', 5, 10), lone);
    expect(upload(plain).widthMm).toBeCloseTo(40, 3);
    expect(paintsOf(plain)).toEqual([['line', '#0000ff', [true, true, false]]]);
    const layers = drawing(square('ENGRAVE logo', 0, 20), square('ENGRAVE logo', 5, 10), lone, square('Cutting', 1, 2));
    expect(paintsOf(layers)).toEqual([
      ['#000000', undefined, [true, true]],
      ['line', '#0000ff', [false]],
      ['line', '#0000ff', [true]],
    ]);
    const red = drawing(square('part', 0, 20).replaceAll('\npart\n', '\npart\n62\n1\n'), square('CUT 2', 30, 40));
    expect(paintsOf(red)[0]).toEqual(['line', '#ff0000', [true]]);
    expect(
      paintsOf(red)
        .slice(1)
        .map(([, stroke]) => stroke),
    ).toEqual(Array(4).fill('#ff0000'));
  });

  it('follows the outlines of a LightBurn layer, too, that fills and follows', () => {
    const setting = (type: string, index: number) =>
      `<CutSetting type="${type}"><index Value="${index}"/></CutSetting>`;
    const rectangle = (index: number) => `<Shape Type="Rect" CutIndex="${index}" W="5" H="5"/>`;
    const project = (content: string) => `<LightBurnProject>${content}</LightBurnProject>`;
    expect(paintsOf(project(setting('Scan+Cut', 0) + rectangle(0)), 'lbrn2')).toEqual([
      ['#000000', undefined, [true]],
      ['line', '#ff0000', [true]],
    ]);
    expect(paintsOf(project(setting('Scan+Cut', 1) + rectangle(1)), 'lbrn2').at(-1)).toEqual([
      'line',
      '#0000ff',
      [true],
    ]);
    expect(paintsOf(project(setting('Scan', 0) + rectangle(0)), 'lbrn2')).toHaveLength(1);
  });

  it('says which drawings name no unit', () => {
    const withUnit = (code: number) =>
      ['0', 'SECTION', '2', 'HEADER', '9', '$INSUNITS', '70', code, '0', 'ENDSEC', drawing(square('0', 0, 2))].join(
        '\n',
      );
    const read = (text: string) => convertOutlineUpload(encode(text))!;
    expect(read(drawing(square('0', 0, 2)))).toMatchObject({ kind: 'DXF', isUnitless: true });
    expect(read(withUnit(0))).toMatchObject({ isUnitless: true });
    expect(read(withUnit(4))).toMatchObject({ isUnitless: false });
    expect(upload(withUnit(1)).widthMm).toBeCloseTo(50.8, 3);
  });

  it('leaves other files to others, whatever their name is', () => {
    for (const text of ['', '0', 'IN;PU0,0;', '<svg/>', '<?xml version="1.0"?><LightBurnLibrary/>', '{"canvas":[]}']) {
      expect(convertOutlineUpload(encode(text))).toBeUndefined();
    }
  });

  it.each([
    ['0\nSECTION\n2\nENTITIES\n', 'This DXF file is damaged: it breaks off before its end.'],
    ['AutoCAD Binary DXF\r\n\u001a\u0000', 'This is a binary DXF file. Save it as DXF text (ASCII) and try again.'],
    ['999\nhello\n0\nSECTION\n2\nHEADER\n0\nEOF\n', 'This file is no DXF drawing, or holds no entities.'],
    ['\ufeff<?xml version="1.0"?>\n<!-- a -->\n<LightBurnProject></LightBurnProject>', 'This file holds no outlines.'],
    [`<LightBurnProject>${' '.repeat(10 * 1024 * 1024)}`, 'LightBurn files may be up to 10 MB.'],
    [
      '<LightBurnProject><Shape Type="Rect" CutIndex="30" W="5" H="5"/></LightBurnProject>',
      'This file holds nothing but guides.',
    ],
    [
      '<LightBurnProject><Shape Type="Rect" CutIndex="0" W="50000" H="5"/></LightBurnProject>',
      'This drawing is more than 20 m wide or high.',
    ],
  ])('refuses with a sentence: %j', (text, sentence) => {
    expect(() => convertOutlineUpload(encode(text))).toThrow(new FileRefused(sentence));
  });
});

describe('joinTouching', () => {
  const join = (d: string) => writeContours(joinTouching(readContours(d)), 3);

  it('chains lines and curves in any order and direction', () => {
    expect(joinTouching(readContours('M0 0L9 0M9 9L0 9M9 0L9 9M0 0L0 9'))).toMatchObject([{ isClosed: true }]);
    expect(join('M5 0L9 0M5 0C4 1 2 1 1 0')).toBe('M9 0L5 0C4 1 2 1 1 0');
  });

  it('leaves gaps, closed contours and lone lines as they are', () => {
    expect(joinTouching(readContours('M0 0L9 0M9 0.02L9 9'))).toHaveLength(2);
    expect(joinTouching(readContours('M0 0L9 0L9 9ZM0 0L0 9'))).toMatchObject([
      { isClosed: true },
      { isClosed: false },
    ]);
    expect(joinTouching(readContours('M0 0L9 0'))).toMatchObject([{ isClosed: false }]);
  });

  it('takes each line once where many meet', () => {
    const star = Array.from({ length: 3000 }, (_, i) => `M0 0L${Math.cos(i)} ${Math.sin(i)}`).join('');
    const chains = joinTouching(readContours(star.replace(/e-\d+/g, '')));
    expect(chains.reduce((sum, { commands }) => sum + commands.length, 0)).toBe(3000);
  });
});
