/** Words as outlines, in the open fonts of this repository. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The part of fontkit that is used; the package has no types. */
interface Font {
  unitsPerEm: number;
  ascent: number;
  descent: number;
  layout(text: string): { glyphs: { path: { toSVG(): string } }[]; positions: { xAdvance: number }[] };
}

const require = createRequire(import.meta.url);
const fonts = new Map<string, Font>();

function loadFont(name: string): Font {
  const cachedFont = fonts.get(name);
  if (cachedFont) return cachedFont;
  const { create } = require('fontkit') as { create(bytes: Uint8Array): Font };
  const font = create(readFileSync(require.resolve(`@fontsource/${name}/files/${name}-latin-400-normal.woff`)));
  fonts.set(name, font);
  return font;
}

/** Returns the paths of a text from (0, 0) on the baseline, y up, and the advance width. */
function layOut(font: Font, text: string): { body: string; width: number } {
  const { glyphs, positions } = font.layout(text);
  let width = 0;
  let body = '';
  glyphs.forEach((glyph, k) => {
    body += `<path transform="translate(${width})" d="${glyph.path.toSVG()}"/>`;
    width += positions[k].xAdvance;
  });
  return { body, width };
}

/** Returns a line of text from (0, 0) on its baseline. */
export function setText(text: string, size: number, name = 'inter'): string {
  const font = loadFont(name);
  const scale = size / font.unitsPerEm;
  return `<g transform="scale(${scale} ${-scale})">${layOut(font, text).body}</g>`;
}

/** Returns a word with a margin of an eighth of an em, in units of its font. */
export function setWord(name: string, text: string): { body: string; width: number; height: number } {
  const font = loadFont(name);
  const margin = font.unitsPerEm / 8;
  const { body, width } = layOut(font, text);
  return {
    body: `<g transform="translate(${margin} ${font.ascent + margin}) scale(1 -1)">${body}</g>`,
    width: width + 2 * margin,
    height: font.ascent - font.descent + 2 * margin,
  };
}
