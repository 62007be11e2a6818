/** Broken and hostile files for every reader but the sanitizer's own: each is read, or refused by a sentence. */
import { describe, expect, it } from 'vitest';
import { FileRefused } from './contourFile.ts';
import { joinTouching } from './joinTouching.ts';
import { convertOutlineUpload } from './outlineUpload.ts';
import { readDxf } from './readDxf.ts';
import { readLightBurn } from './readLightBurn.ts';
import { readMaterialLibrary } from './readMaterialLibrary.ts';
import { readPlt } from './readPlt.ts';
import { readSvgContours } from './readSvgContours.ts';
import { readXcs } from './readXcs.ts';

/** `npm test` breaks every third byte. */
const STEP = process.env.TEST_TIER === 'quick' ? 3 : 1;
const encode = (text: string) => new TextEncoder().encode(text);
const MB = 1024 * 1024;

const dxf = (...tags: (string | number)[]) => [...tags, 0, 'EOF'].join('\n');
const entities = (...tags: (string | number)[]) => dxf(0, 'SECTION', 2, 'ENTITIES', ...tags, 0, 'ENDSEC');
const line = [0, 'LINE', 8, 'CUT', 10, 1, 20, 2, 11, 3, 21, 4];
/** Returns a drawing that inserts a block with these entities 90,000 times. */
const insertOften = (content: string) =>
  dxf(
    ...[0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 2, `B\n${content}0`, 'ENDBLK', 0, 'ENDSEC'],
    ...[0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B', 70, 90_000, ...line, 0, 'ENDSEC'],
  );
const project = (shapes: string) =>
  `<LightBurnProject FormatVersion="1"><CutSetting type="Cut"><index Value="2"/></CutSetting>${shapes}</LightBurnProject>`;
const path = (vertices: string, primitives: string) =>
  `<Shape Type="Path" CutIndex="2"><XForm>1 0 0 1 0 0</XForm><VertList>${vertices}</VertList><PrimList>${primitives}</PrimList></Shape>`;
const display = (changes: object) => ({ type: 'PATH', layerColor: '#ff0000', dPath: 'M0 0L5 0L5 5Z', ...changes });
const xcs = (...displays: object[]) => JSON.stringify({ canvas: [{ layerData: {}, displays }] });
const library = (settings: string, entry = 'Thickness="3" Desc="Cut"') =>
  `<LightBurnLibrary DisplayName="Shop"><Material name="Birch"><Entry ${entry}><CutSetting type="Cut">${settings}</CutSetting></Entry></Material></LightBurnLibrary>`;
const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm" viewBox="0 0 9 9">${content}</svg>`;

interface Format {
  readonly read: (bytes: Uint8Array) => unknown;
  /** A file that is read. */
  readonly good: string;
  /** Files that are refused, by what is wrong with them. */
  readonly bad: Readonly<Record<string, string>>;
}

const nest = (open: string, close: string, depth: number, inside = '') =>
  open.repeat(depth) + inside + close.repeat(depth);

const formats: Readonly<Record<string, Format>> = {
  dxf: {
    read: readDxf,
    good: dxf(
      ...[0, 'SECTION', 2, 'HEADER', 9, '$INSUNITS', 70, 4, 0, 'ENDSEC'],
      ...[0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 2, 'B', 10, 0, 20, 0, ...line, 0, 'ENDBLK', 0, 'ENDSEC'],
      ...[0, 'SECTION', 2, 'ENTITIES', ...line, 0, 'INSERT', 2, 'B', 0, 'CIRCLE', 8, 'A', 10, 5, 20, 5, 40, 2],
      ...[
        0,
        'POLYLINE',
        8,
        'A',
        66,
        1,
        70,
        1,
        0,
        'VERTEX',
        10,
        0,
        20,
        0,
        42,
        1,
        0,
        'VERTEX',
        10,
        5,
        20,
        0,
        0,
        'SEQEND',
      ],
      ...[0, 'ENDSEC'],
    ),
    bad: {
      'no entities': entities(),
      'a number that overflows': entities(0, 'LINE', 10, '1e308', 20, 0, 11, 1, 21, 1),
      'an infinite number': entities(0, 'LINE', 10, 'Infinity', 20, 0, 11, 1, 21, 1),
      'a coordinate that is none': entities(0, 'LINE', 10, 'NaN', 20, 0, 11, 1, 21, 1),
      'a coordinate that is missing': entities(0, 'LINE', 10, 1, 20, 0, 11, 1),
      'a radius that overflows': entities(0, 'CIRCLE', 10, 0, 20, 0, 40, '1e300'),
      'a bulge that overflows': entities(0, 'LWPOLYLINE', 10, 0, 20, 0, 42, '1e-300', 10, '1e12', 20, '1e12'),
      'a unit that does not exist': dxf(
        0,
        'SECTION',
        2,
        'HEADER',
        9,
        '$INSUNITS',
        70,
        99,
        0,
        'ENDSEC',
        0,
        'SECTION',
        2,
        'ENTITIES',
        ...line,
        0,
        'ENDSEC',
      ),
      'a spline of endless degree': entities(0, 'SPLINE', 71, 1e9, 40, 0, 40, 1, 10, 0, 20, 0),
      'a block that inserts itself': dxf(
        ...[
          0,
          'SECTION',
          2,
          'BLOCKS',
          0,
          'BLOCK',
          2,
          'B',
          0,
          'INSERT',
          2,
          'B',
          0,
          'INSERT',
          2,
          'B',
          0,
          'ENDBLK',
          0,
          'ENDSEC',
        ],
        ...[0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B', 0, 'ENDSEC'],
      ),
      'blocks that double 40 times': dxf(
        ...[0, 'SECTION', 2, 'BLOCKS'],
        ...Array.from({ length: 40 }, (_, i) => [
          0,
          'BLOCK',
          2,
          `B${i}`,
          ...(i === 0 ? line : [0, 'INSERT', 2, `B${i - 1}`, 0, 'INSERT', 2, `B${i - 1}`]),
          0,
          'ENDBLK',
        ]).flat(),
        ...[0, 'ENDSEC', 0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B39', 0, 'ENDSEC'],
      ),
      'an insert of a million million copies': dxf(
        ...[0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 2, 'B', 0, 'ENDBLK', 0, 'ENDSEC'],
        ...[0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B', 70, 1e6, 71, 1e6, 0, 'ENDSEC'],
      ),
      'more layers than a program has': entities(
        ...Array.from({ length: 1001 }, (_, i) => [0, 'LINE', 8, `L${i}`, 10, 1, 20, 2, 11, 3, 21, 4]).flat(),
      ),
      'three blocks in a circle': dxf(
        ...[0, 'SECTION', 2, 'BLOCKS'],
        ...[0, 1, 2].flatMap((i) => [0, 'BLOCK', 2, `B${i}`, 0, 'INSERT', 2, `B${(i + 1) % 3}`, 0, 'ENDBLK']),
        ...[0, 'ENDSEC', 0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B0', 0, 'ENDSEC'],
      ),
      'scales that multiply to infinity': dxf(
        ...[0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 2, 'B0', ...line, 0, 'ENDBLK'],
        ...Array.from({ length: 40 }, (_, i) => [
          ...[0, 'BLOCK', 2, `B${i + 1}`, 0, 'INSERT', 2, `B${i}`, 41, 1e12, 42, 1e12, 0, 'ENDBLK'],
        ]).flat(),
        ...[0, 'ENDSEC', 0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B40', 0, 'ENDSEC'],
      ),
      'a million entities': entities(`${'0\nPOINT\n'.repeat(1_000_000)}0`, 'POINT'),
      'a block of 100 pairs that is inserted 90,000 times': insertOften(`0\nFOO\n${'1\n\n'.repeat(100)}`),
      'a block of a spline that is none, inserted as often': insertOften(`0\nSPLINE\n${'40\n1\n'.repeat(100)}`),
      'a block of vertices that are not drawn, inserted as often': insertOften(
        `0\nPOLYLINE\n${'0\nVERTEX\n70\n16\n'.repeat(100)}`,
      ),
      'a pair without a code': '0\nSECTION\n2\nENTITIES\nten\n5\n0\nENDSEC\n0\nEOF\n',
      'another format': svg('<rect width="5" height="5"/>'),
    },
  },
  lbrn2: {
    read: readLightBurn,
    good: project(
      `${path('V0 0c0x1c1x1V5 0c0x6c0y2c1x1V5 5c0x1c1x6c1y3', 'L0 1B1 2L2 0')}<Shape Type="Rect" CutIndex="0" W="5" H="4" Cr="1"><XForm>1 0 0 1 3 3</XForm></Shape>` +
        '<Shape Type="Group" CutIndex="0"><XForm>2 0 0 2 0 0</XForm><Children><Shape Type="Ellipse" CutIndex="1" Rx="2" Ry="1"/></Children></Shape>',
    ),
    bad: {
      'no outlines': project(''),
      'a number that overflows': project(path('V1e308 0c0x1c1x1V5 0c0x1c1x1', 'LineClosed')),
      'a point that is none': project(path('VNaN 0c0x1c1x1V5 0c0x1c1x1', 'LineClosed')),
      'a list of points that breaks off': project(path('V1 0c0x1c1x1V5', 'LineClosed')),
      'a line to a point that is not there': project(path('V0 0c0x1c1x1V5 0c0x1c1x1', 'L0 9')),
      'a line to a negative point': project(path('V0 0c0x1c1x1V5 0c0x1c1x1', 'L0 -1')),
      'a transform of five numbers': project(
        '<Shape Type="Rect" CutIndex="0" W="5" H="5"><XForm>1 0 0 1 0</XForm></Shape>',
      ),
      'transforms that multiply to infinity': project(
        nest(
          '<Shape Type="Group" CutIndex="0"><XForm>99999 0 0 99999 0 0</XForm><Children>',
          '</Children></Shape>',
          20,
          '<Shape Type="Rect" CutIndex="0" W="5" H="5"/>',
        ),
      ),
      'a layer that does not exist': project('<Shape Type="Rect" CutIndex="99999" W="5" H="5"/>'),
      'a shape without a layer': project('<Shape Type="Rect" W="5" H="5"/>'),
      'groups nested 5,000 times': project(nest('<Shape Type="Group"><Children>', '</Children></Shape>', 5000)),
      'elements that never close': nest('<LightBurnProject>', '', 100_000),
      'entities that multiply': `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${project('&b;')}`,
      'a transform that is no number': project(
        '<Shape Type="Rect" CutIndex="0" W="5" H="5"><XForm>1 0 0 1 Infinity 0</XForm></Shape>',
      ),
      'an outside entity': `<!DOCTYPE a SYSTEM "file:///etc/passwd">${project('')}`,
      'one list of points that 20,000 shapes share': project(
        `<Shape Type="Path" CutIndex="0" VertID="1" PrimID="1"><VertList>${'V0 0V5 5'.repeat(50)}</VertList><PrimList>LineOpen</PrimList></Shape>` +
          '<Shape Type="Path" CutIndex="0" VertID="1" PrimID="1"/>'.repeat(20_000),
      ),
      'another format': svg('<rect width="5" height="5"/>'),
    },
  },
  plt: {
    read: readPlt,
    good: 'IN;PA;SP1;PU0,0;PD400,0,400,400,0,0;PU;SP0;',
    bad: {
      'nothing drawn': 'IN;SP1;PU5,5;',
      'a number that overflows': 'IN;PU0,0;PD1,1e308;',
      'a coordinate that is none': 'IN;PU0,0;PD1,.-;',
      'a move without y': 'IN;PU0,0;PD1,2,3;',
      'relative moves to infinity': `IN;PR;PD${'99999999,99999999,'.repeat(2000)}1,1;`,
      'units that are scaled': 'IN;SC0,1000,0,1000;PU0,0;PD5,5;',
      'more points than a plotter takes': `IN;PD${'1,2,'.repeat(1_000_001)}1,2;`,
      'more commands than a plotter takes': 'PU;'.repeat(200_001),
      'pens without end': Array.from({ length: 1001 }, (_, i) => `SP${i};PU0,0;PD5,5;`).join(''),
      'another format': svg('<rect width="5" height="5"/>'),
    },
  },
  xcs: {
    read: readXcs,
    good: xcs(display({}), display({ scale: { x: 2, y: 2 }, graphicX: 3, graphicY: 4 })),
    bad: {
      'no displays': xcs(),
      'no canvas': '{}',
      'a list': '[]',
      'a number that overflows': xcs(display({ graphicX: 1e308 })),
      'an outline that overflows': xcs(display({ dPath: 'M0 0L1e308 5' })),
      'an outline that is none': xcs(display({ dPath: 'drop' })),
      'an outline that breaks off': xcs(display({ dPath: 'M0 0L5 5L6' })),
      'an outline that is a list': xcs(display({ dPath: [] })),
      'a color that is none': xcs(display({ layerColor: 'url(x)' })),
      'lists nested 100,000 times': nest('[', ']', 100_000),
      'canvases nested 100,000 times': nest('{"canvas":[', ']}', 50_000),
      'displays that are numbers': '{"canvas":[{"displays":[1,2,3]}]}',
      'colors without end': xcs(
        ...Array.from({ length: 1001 }, (_, i) => display({ layerColor: `#${i.toString(16).padStart(6, '0')}` })),
      ),
      'another format': svg('<rect width="5" height="5"/>'),
    },
  },
  svg: {
    read: readSvgContours,
    good: svg(
      '<path d="M1 1h5v5z" fill="#000"/><g transform="scale(.5)"><circle cx="5" cy="5" r="2" fill="none" stroke="red"/></g>',
    ),
    bad: {
      'nothing painted': svg('<path d="M1 1h5v5z" fill="none"/>'),
      'a transform to far away': svg('<rect width="5" height="5" transform="scale(1e8)"/>'),
      'groups nested 5,000 times': svg(nest('<g>', '</g>', 5000)),
      'entities that multiply': `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${svg('')}`,
      'another format': project(''),
    },
  },
  clb: {
    read: readMaterialLibrary,
    good: library('<speed Value="8"/><maxPower Value="75"/><numPasses Value="2"/><unknown Value="x"/>'),
    bad: {
      'no entries': '<LightBurnLibrary/>',
      'a power below 0': library('<maxPower Value="-5"/>'),
      'a power of 1e308': library('<maxPower Value="1e308"/>'),
      'a speed of 1e-320': library('<speed Value="1e-320"/>'),
      'a power of 1,000 %': library('<maxPower Value="1000"/>'),
      'a speed of 0': library('<speed Value="0"/>'),
      'a speed that is none': library('<speed Value="fast"/>'),
      'a power that is empty': library('<maxPower Value=""/>'),
      'an infinite speed': library('<speed Value="1e999"/>'),
      'half a pass': library('<numPasses Value="1.5"/>'),
      'a million passes': library('<numPasses Value="1000000"/>'),
      'a thickness that is none': library('', 'Thickness="NaN" Desc="Cut"'),
      'a name without end': library('', `Thickness="3" Desc="${'a'.repeat(1000)}"`),
      'entries without end': library('').replace(/<Entry.*<\/Entry>/, (entry) => entry.repeat(5001)),
      'elements nested 5,000 times': nest('<LightBurnLibrary>', '</LightBurnLibrary>', 5000),
      'entities that multiply': `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">]>${library('&a;')}`,
      'more than 2 MB': `${library('')}${' '.repeat(2 * MB)}`,
      'another format': svg('<rect width="5" height="5"/>'),
    },
  },
};

const wildNumbers = ['1e308', '-1e308', 'NaN', '-Infinity', '1e-320', '-1', '4294967296', '9'.repeat(400), '0x7f', ''];

const splice = (text: string, at: number, addition: string) =>
  text.slice(0, Math.floor(at)) + addition + text.slice(Math.floor(at));

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function utf16(text: string, isBig: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  [...`\ufeff${text}`].forEach((character, i) => void view.setUint16(2 * i, character.charCodeAt(0), !isBig));
  return bytes;
}

/** Returns a seeded generator of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

const zeros = new Uint8Array(10 * MB);
const digits = new Uint8Array(10 * MB).fill(48);
const blanks = new Uint8Array(100 * MB).fill(32);
const noise = new Uint8Array(10 * MB);
for (let i = 0; i < noise.length; i++) noise[i] = 1 + ((Math.imul(i, 0x9e3779b1) >>> 24) % 255);

/** Reads bytes. Throws for any other error than a refusal with a sentence. */
function tryToRead({ read }: Format, bytes: Uint8Array): boolean {
  try {
    read(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    expect(error.message).toMatch(/^[A-Z“].*\.$/s);
    expect(error.message.length).toBeLessThan(400);
    return false;
  }
}

describe.each(Object.entries(formats))('%s', (_name, format) => {
  it('reads a good file', () => {
    expect(format.read(encode(format.good))).toBeTruthy();
  });

  it.each(Object.entries(format.bad))('refuses %s', (_what, text) => {
    expect(tryToRead(format, encode(text))).toBe(false);
  });

  it('reads or refuses a file that breaks off, at every byte', () => {
    const bytes = encode(format.good);
    for (let end = 0; end < bytes.length; end += STEP) tryToRead(format, bytes.subarray(0, end));
  });

  it('reads or refuses a file with any byte changed', () => {
    const bytes = encode(format.good);
    for (let i = 0; i < bytes.length; i += STEP) {
      const copy = bytes.slice();
      copy[i] = (copy[i]! * 7 + i * 31 + 1) % 256;
      tryToRead(format, copy);
    }
  });

  it('reads or refuses a file with any number replaced by one that no program writes', () => {
    for (const { 0: number, index } of format.good.matchAll(/-?\d+(\.\d+)?/g)) {
      const [before, after] = [format.good.slice(0, index), format.good.slice(index + number.length)];
      for (const other of wildNumbers) tryToRead(format, encode(before + other + after));
    }
  });

  it('reads or refuses a file whose parts are repeated, moved and left out', () => {
    const next = createRandom(20_261_128);
    const at = (length: number) => Math.floor(next() * (length + 1));
    for (let i = 0; i < 300 / STEP; i++) {
      let text = format.good;
      for (let k = 0; k < 3; k++) {
        const [from, to] = [at(text.length), at(text.length)].sort((a, b) => a - b) as [number, number];
        const place = at(text.length);
        text = next() < 0.5 ? text.slice(0, from) + text.slice(to) : splice(text, place, text.slice(from, to));
      }
      tryToRead(format, encode(text));
    }
  });

  it('reads a file in UTF-16 and with a byte order mark, and refuses one with NUL in it', () => {
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
    expect(format.read(join(mark, encode(format.good)))).toEqual(format.read(encode(format.good)));
    for (const isBig of [false, true]) {
      const bytes = utf16(format.good, isBig);
      expect(format.read(bytes)).toEqual(format.read(encode(format.good)));
      expect(tryToRead(format, bytes.subarray(2)), 'without its mark').toBe(false);
      for (let end = 0; end < bytes.length; end += 7) tryToRead(format, bytes.subarray(0, end));
    }
    expect(tryToRead(format, encode(splice(format.good, format.good.length / 2, '\0')))).toBe(false);
  });

  it('refuses nothing, 10 MB of zeros, of noise, and of the digit 0', () => {
    for (const bytes of [new Uint8Array(), zeros, noise, digits]) {
      expect(tryToRead(format, bytes)).toBe(false);
    }
  });

  it('refuses more bytes than it reads', () => {
    expect(tryToRead(format, blanks)).toBe(false);
  });
});

describe('an upload', () => {
  const [dxfFormat, projectFormat] = [formats.dxf!, formats.lbrn2!];

  it('is the drawing of its bytes whatever it is called, also in UTF-16', () => {
    for (const { good } of [dxfFormat, projectFormat]) {
      const upload = convertOutlineUpload(encode(good));
      expect(upload?.svg).toMatch(/^<svg.*<\/svg>$/s);
      for (const isBig of [false, true]) expect(convertOutlineUpload(utf16(good, isBig))).toEqual(upload);
    }
    for (const { good } of [formats.plt!, formats.xcs!, formats.svg!, formats.clb!]) {
      expect(convertOutlineUpload(encode(good))).toBeUndefined();
    }
  });

  it('of a damaged file is refused, or becomes a drawing of finite numbers', () => {
    for (const { good } of [dxfFormat, projectFormat]) {
      const bytes = encode(good);
      for (let i = 0; i < bytes.length; i++) {
        const copy = bytes.slice(0, i % 2 === 0 ? bytes.length : i);
        copy[Math.floor(i / 2)] = (copy[Math.floor(i / 2)]! * 5 + 17 * i) % 256;
        const read = () => expect(convertOutlineUpload(copy)?.svg ?? '').not.toMatch(/NaN|Infinity|undefined/);
        tryToRead({ read, good, bad: {} }, copy);
      }
    }
  });

  it('repeats no name to the person that no program gives a kind of content', () => {
    const upload = convertOutlineUpload(encode(entities(...line, 0, '<b>\u202e', 0, 'MTEXT')));
    expect(upload?.droppedKinds).toEqual(['MTEXT', 'unknown']);
  });

  it('of lines that meet at two near points, or share a long list, takes time in proportion to its bytes', () => {
    const star = Array.from({ length: 60_000 }, (_, i) => ({
      commands: ['L' as const],
      points: [i < 30_000 ? 0.0095 : 0.001, 0, i % 1000, 9 + Math.floor(i / 1000)],
      isClosed: false,
    }));
    const shapes = project(
      `<Shape Type="Path" CutIndex="0" VertID="1" PrimID="1"><VertList>V0 0V5 5</VertList><PrimList>L0 1${' '.repeat(300_000)}L1 0</PrimList></Shape>` +
        '<Shape Type="Path" CutIndex="0" VertID="1" PrimID="1"/>'.repeat(20_000),
    );
    const before = process.cpuUsage();
    expect(joinTouching(star)).toHaveLength(30_000);
    convertOutlineUpload(encode(shapes));
    const { user, system } = process.cpuUsage(before);
    // A search through all that is near takes longer than 10 s, and so does reading the list for each shape.
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});
