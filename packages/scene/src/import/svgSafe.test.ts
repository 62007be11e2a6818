import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { type SvgNode, writeSvg } from '../svg/svg.ts';
import { readSvg, SVG_LIMITS, SvgRefused } from './svgSafe.ts';

const svg = (content: string, attrs = 'viewBox="0 0 10 10"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attrs}>${content}</svg>`;
const inside = (content: string): string =>
  readSvg(svg(content))
    .node.children.map((node) => writeSvg(node))
    .join('');

/** Returns what `act` throws. */
function faultOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('readSvg keeps', () => {
  it.each([
    ['shapes and paint', '<path d="M0 0L1 1" fill="#123456" stroke-width="2"/>'],
    ['groups and transforms', '<g transform="translate(1 2)"><rect width="1" height="1"/></g>'],
    [
      'gradients and their use',
      '<linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient><rect fill="url(#a)"/>',
    ],
    ['references into itself', '<g id="b"/><use href="#b" x="1"/>'],
    ['small pictures it carries', '<image href="data:image/png;base64,iVBORw0KGgoAAA==" width="1"/>'],
    ['colors and names that look like large numbers', '<g id="a9e99" fill="#9e99ff" clip-path="url(#b-9e99)"/>'],
    ['filters', '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)"/>'],
  ])('%s', (_name, content) => {
    expect(inside(content)).toBe(content);
  });

  it('xlink references as plain ones, with precedence for the plain one', () => {
    expect(inside('<g id="b"/><use xlink:href="#b"/>')).toBe('<g id="b"/><use href="#b"/>');
    expect(inside('<g id="b"/><use xlink:href="#c" href="#b"/>')).toBe('<g id="b"/><use href="#b"/>');
  });

  it('styles as attributes', () => {
    expect(inside('<rect style="fill: red; stroke:url( \'#a\' ); width: 9px"/>')).toBe(
      '<rect fill="red" stroke="url(#a)"/>',
    );
    expect(inside('<style>.a{fill:red}/* .a{fill:blue} */#b{fill:green}</style><rect id="b" class="a"/>')).toBe(
      '<rect id="b" fill="green"/>',
    );
    expect(
      inside('<style><![CDATA[g > rect{fill:red!important}rect{fill:blue}]]></style><g><rect style="fill:tan"/></g>'),
    ).toBe('<g><rect fill="red"/></g>');
    expect(
      inside(
        '<style>@import url(http://x/);@media print{rect{fill:red}}rect:hover{fill:red}*{opacity:.5}</style><rect/>',
      ),
    ).toBe('<rect opacity=".5"/>');
    expect(inside('<g style="mix-blend-mode:multiply;isolation:url(x)"/>')).toBe(
      '<g style="mix-blend-mode:multiply"/>',
    );
  });

  it('drawings from other programs: prolog, plain doctype, foreign elements, a byte order mark', () => {
    const text =
      '\ufeff<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">' +
      '<!-- made --><s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:i="urn:ink" viewBox="0 0 1 1"><i:view><i:g/></i:view><s:g i:label="x"/></s:svg>';
    expect(writeSvg(readSvg(text).node)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"><g/></svg>',
    );
  });

  it('links as groups', () => {
    expect(inside('<a href="javascript:alert(1)"><rect/></a>')).toBe('<g><rect/></g>');
  });
});

describe('readSvg leaves out', () => {
  it.each([
    '<script>alert(1)</script>',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    '<text>Hello</text>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onload" to="alert(1)"/>',
    '<image href="http://example.com/a.png"/>',
    '<image href="file:///etc/passwd"/>',
    '<image href="/etc/passwd"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
    '<image href="data:image/png;base64,PHN2Zy8+"/>',
    '<image href="data:image/png;base64,iVBORw0KGgo&quot;"/>',
    '<use href="other.svg#a"/>',
    '<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>',
    '<style>rect{fill:red}</style>',
    '<handler xmlns="http://www.w3.org/2001/xml-events"/>',
  ])('%s', (content) => {
    expect(inside(content)).toBe('');
  });

  it.each([
    ['onload', '<rect onload="alert(1)"/>'],
    ['links', '<rect href="#a"/><path xlink:href="http://x"/>'.replace('<rect href="#a"/>', '<rect/>')],
    ['outside paint', '<rect fill="url(http://x/#a)"/>'],
    ['escaped functions', '<rect fill="u\\72l(http://x)"/>'],
    ['functions it does not know', '<rect fill="image-set(&quot;http://x&quot; 1x)"/>'],
    ['expressions', '<rect style="fill:expression(alert(1));behavior:url(#x)"/>'],
    ['custom properties', '<rect style="--a:url(http://x);fill:var(--a)"/>'],
    ['numbers that overflow', '<rect width="1e39" height="10000000000" stroke-width="9e99"/>'],
    ['classes and language', '<rect class="a" xml:base="http://x"/>'],
  ])('attributes: %s', (_name, content) => {
    expect(inside(content).replaceAll('path', 'rect').replace('<rect/><rect/>', '<rect/>')).toBe('<rect/>');
  });

  it('lists the elements it left out', () => {
    expect(readSvg(svg('<text/><text/><foreignObject/><title/><g><video/></g>')).droppedTags).toEqual([
      'foreignObject',
      'text',
      'video',
    ]);
  });

  it('lists the numbers it left out, by attribute and element', () => {
    const content =
      '<filter><feTurbulence numOctaves="66" baseFrequency=".1"/></filter><rect width="1e39" height="9"/>';
    const { node, droppedTags } = readSvg(svg(`${content}<rect width="2e39"/><text/>`));
    expect(JSON.stringify(node)).not.toMatch(/66|1e39|2e39/);
    expect(droppedTags).toEqual(['numOctaves of feTurbulence', 'text', 'width of rect']);
  });
});

describe('readSvg refuses', () => {
  const deep = (depth: number) => svg('<g>'.repeat(depth) + '</g>'.repeat(depth));
  const laughs = (levels: number) =>
    svg(
      '<g id="a0"><path d="M0 0L1 1"/></g>' +
        Array.from({ length: levels }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`).join(''),
    );
  it.each([
    ['nothing', '', /not/],
    ['what is not XML', 'hello', /not well-formed/],
    ['HTML', '<html><svg/></html>', /not an SVG/],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>', /entities/],
    ['unknown entities', svg('&nbsp;'), /not well-formed/],
    ['open elements', '<svg xmlns="http://www.w3.org/2000/svg"><g>', /not well-formed/],
    ['undeclared prefixes', '<svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="#a"/></svg>', /not well-formed/],
    ['endless nesting', deep(SVG_LIMITS.depth + 1), /deeply/],
    ['endless repetition', laughs(6), /repeats/],
    [
      'repetition by paint',
      laughs(6).replaceAll('<use href="', '<rect fill="url(').replaceAll('"/><', ')"/><'),
      /repeats/,
    ],
    ['too many elements', svg('<g/>'.repeat(SVG_LIMITS.nodes)), /too many elements/],
    ['too long a file', `${svg('')}${' '.repeat(SVG_LIMITS.length)}`, /too large/],
    ['no size', svg('', 'width="0" height="10"'), /size/],
    [
      'styles made to be slow',
      svg(
        `<style>${Array.from({ length: 4000 }, (_, i) => `g g g rect{fill:#${String(i).padStart(6, '0')}}`).join('')}</style>` +
          `<g><g><g>${'<rect/>'.repeat(3000)}</g></g></g>`,
      ),
      /styles/,
    ],
  ])('%s', (_name, text, sentence) => {
    // Once: a drawing at a limit is read up to it.
    const fault = faultOf(() => readSvg(text));
    expect(fault).toBeInstanceOf(SvgRefused);
    expect(fault).toHaveProperty('message', expect.stringMatching(sentence));
  });

  it('references that multiply, but not a plain cycle', () => {
    const ids = Array.from({ length: 30 }, (_, i) => i);
    const uses = (from: number) => ids.filter((to) => to !== from).map((to) => `<use href="#n${to}"/>`);
    const tangle = ids.map((id) => `<g id="n${id}">${uses(id).join('')}</g>`).join('');
    expect(() => readSvg(svg(tangle))).toThrow(/repeats/);
    expect(inside('<g id="a"><use href="#a"/><rect/></g>')).toBe('<g id="a"><use/><rect/></g>');
  });

  it.each([
    ['many empty rules', `<style>${'a{}'.repeat(200_000)}</style>`],
    ['many at-rules', `<style>${'@a{}'.repeat(200_000)}</style>`],
    [
      'many classes',
      '<style>' +
        Array.from({ length: 4000 }, (_, i) => `.a .b${i}{fill:red}`).join('') +
        '</style>' +
        `<rect class="${'a '.repeat(200_000)}"/>`,
    ],
    ['many brackets', `<rect fill="${'rgb('.repeat(200_000)}"/>`],
    ['many transforms', `<rect transform="${'scale(1)'.repeat(200_000)}"/>`],
  ])('and reads %s in linear time', (_name, content) => {
    expect(readSvg(svg(content)).width).toBe(10);
  });

  it('and accepts what is within its limits', () => {
    expect(readSvg(deep(SVG_LIMITS.depth - 1)).width).toBe(10);
    expect(readSvg(laughs(3)).width).toBe(10);
    expect(readSvg(svg('<g id="a"><use href="#a"/></g>')).width).toBe(10);
  });
});

describe('the size', () => {
  it.each([
    ['viewBox="0 0 30 20"', 30, 20],
    ['width="60" height="40"', 60, 40],
    ['width="25.4mm" height="1in"', 96, 96],
    ['width="2.54cm" height="72pt"', 96, 96],
    ['width="100%" height="100%" viewBox="0 0 30 20"', 30, 20],
    ['width="60px" viewBox="0 0 30 20"', 60, 40],
    ['height="40" viewBox="0 0 30 20"', 60, 40],
    ['width="1e2" height=".5e1"', 100, 5],
    ['', 300, 150],
  ])('%s', (attrs, width, height) => {
    const safe = readSvg(svg('', attrs));
    expect([safe.width, safe.height]).toEqual([expect.closeTo(width, 6), expect.closeTo(height, 6)]);
    expect(safe.node.attrs.viewBox).toBe(attrs.includes('viewBox') ? '0 0 30 20' : `0 0 ${safe.width} ${safe.height}`);
  });
});

/** Reads what was written, as a browser's XML parser would, and looks for anything that could act. */
function expectInert(text: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => expect.unreachable('a doctype'));
  parser.on('processinginstruction', () => expect.unreachable('a processing instruction'));
  parser.on('text', (content) => expect(content.trim()).toBe(''));
  parser.on('cdata', () => expect.unreachable('cdata'));
  parser.on('opentag', (tag) => {
    expect(tag.uri).toBe('http://www.w3.org/2000/svg');
    expect(tag.local).not.toMatch(/^(script|style|foreignObject|a|animate.*|set|handler|text|iframe|audio|video)$/i);
    for (const { name, value } of Object.values(tag.attributes)) {
      expect(name).not.toMatch(/^on/i);
      if (name === 'xmlns') continue;
      if (name === 'href') expect(value).toMatch(/^(#[^\s]+|data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*)$/);
      if (name === 'style') expect(value).toMatch(/^[a-z-]+:[a-z-]+(;[a-z-]+:[a-z-]+)*$/);
      if (name !== 'id' && name !== 'href') {
        expect(value).not.toMatch(/script:|expression|@import|\\/i);
        for (const target of value.matchAll(/url\(([^)]*)/gi)) expect(target[1]).toMatch(/^#/);
      }
    }
  });
  parser.write(text).close();
}

function readOrRefuse(text: string): SvgNode | undefined {
  try {
    return readSvg(text).node;
  } catch (error) {
    expect(error).toBeInstanceOf(SvgRefused);
    expect((error as Error).message).toMatch(/^This .{5,200}\.$/s);
    return undefined;
  }
}

describe('random input', () => {
  it('is refused or made safe', () => {
    const word = fc.constantFrom(
      ...[
        '<svg xmlns="http://www.w3.org/2000/svg">',
        '</svg>',
        '<g ',
        '<use ',
        '<rect ',
        '<style>',
        '</style>',
        '/>',
        '>',
        'a{',
      ],
      ...[
        'fill="',
        'style="',
        'href="#a"',
        'id="a"',
        'url(',
        '#a)',
        ')',
        '"',
        ';',
        '}',
        '\\',
        '&lt;',
        '&#0;',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 5 }))), fc.boolean(), (parts, isWrapped) => {
        const node = readOrRefuse(isWrapped ? svg(parts.join('')) : parts.join(''));
        if (node) expectInert(writeSvg(node));
      }),
      { numRuns: 500 },
    );
  });

  it('stays the same when it is read again', () => {
    const first = readSvg(svg('<style>rect{fill:red}</style><a><rect style="mix-blend-mode:screen"/></a>')).node;
    expect(readSvg(writeSvg(first)).node).toEqual({ ...first, attrs: { ...first.attrs } });
  });
});

/** Inputs that other projects collected. The end of the run says where they are missing. */
const corpora = process.env.CORPORA_DIR ?? '';
/** `npm test` takes every fourth file, `npm run test:stress` all of them. */
const STEP = process.env.TEST_TIER === 'stress' ? 1 : 4;
const filesOf = (folder: string, step: number) =>
  readdirSync(join(corpora, folder))
    .filter((_, i) => i % step === 0)
    .map((name) => join(corpora, folder, name));

describe.runIf(corpora)('collected inputs', () => {
  it.each([
    ['svg-resvg', STEP],
    ['svg-xss-sanitizer', 1],
  ])('%s: refused or made safe', (folder, step) => {
    for (const path of filesOf(folder, step)) {
      const node = readOrRefuse(readFileSync(path, 'utf8'));
      if (node) expectInert(writeSvg(node));
    }
  });

  it('lists of payloads: refused or made safe, alone and inside a drawing', () => {
    const vectors: { payload: string }[] = JSON.parse(
      readFileSync(join(corpora, 'lists/dompurify-expect-even.json'), 'utf8'),
    );
    const bodies: { base64: string }[] = JSON.parse(readFileSync(join(corpora, 'lists/go-fuzz-xml.json'), 'utf8'));
    const texts = [
      ...vectors.map(({ payload }) => payload),
      ...bodies.map(({ base64 }) => Buffer.from(base64, 'base64').toString('utf8')),
    ];
    expect(texts.length).toBeGreaterThan(500);
    for (const text of texts) {
      for (const whole of [text, svg(text)]) {
        const node = readOrRefuse(whole);
        if (node) expectInert(writeSvg(node));
      }
    }
  });

  it('keeps the look of at least 95 % of the valid drawings', { tags: ['detail'] }, () => {
    const { Resvg } = createRequire(import.meta.url)('@resvg/resvg-js');
    const draw = (text: string) => {
      const { width, height, pixels } = new Resvg(text, { font: { loadSystemFonts: false } }).render();
      return { width, height, pixels }; // `pixels` is a getter that copies
    };
    let valid = 0;
    let same = 0;
    for (const path of filesOf('svg-resvg', STEP)) {
      const text = readFileSync(path, 'utf8');
      let before: { width: number; height: number; pixels: Uint8Array };
      try {
        before = draw(text);
      } catch {
        continue; // broken on purpose
      }
      valid++;
      const node = readOrRefuse(text);
      if (!node) continue;
      const after = draw(writeSvg(node));
      if (after.width !== before.width || after.height !== before.height) continue;
      let differing = 0;
      for (let i = 0; i < before.pixels.length; i += 4) {
        const isFar = [0, 1, 2, 3].some((c) => Math.abs(before.pixels[i + c]! - after.pixels[i + c]!) > 8);
        if (isFar) differing++;
      }
      if (differing <= (before.pixels.length / 4) * 0.01) same++;
    }
    expect(valid).toBeGreaterThan(800 / STEP);
    expect(same / valid).toBeGreaterThanOrEqual(0.95);
  });
});
