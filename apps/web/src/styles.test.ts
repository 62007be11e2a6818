// @ts-expect-error: the types of pages know no Node; tests run there
import { readFileSync } from 'node:fs';
import { compile } from 'tailwindcss';
import { expect, it } from 'vitest';

const source: string = readFileSync(new URL('./styles.css', import.meta.url), 'utf8');
const { build } = await compile(source, { loadStylesheet: async (path, base) => ({ path, base, content: '' }) });
/** The style sheet as browsers get it, without what it imports. */
const css = build([]).replaceAll('"', "'");

/** Returns the colors that a block of variables sets, by name. */
function colors(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

/** Returns the relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const themes = {
  light: colors(':root'),
  dark: colors(":root:where([data-theme='dark'], [data-theme='dark'] *)"),
};
const surfaces = ['bone', 'paper'];
const texts = ['ink', 'graphite', 'laser', 'uv', 'sublimation', 'dtf', 'danger', 'success'];

for (const [theme, color] of Object.entries(themes)) {
  it.each(texts)(`gives %s enough contrast on every surface, ${theme}`, (text) => {
    for (const surface of surfaces) expect(contrast(color[text]!, color[surface]!)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['laser', 'uv', 'sublimation', 'dtf'])(`gives text on the %s accent enough contrast, ${theme}`, (accent) => {
    expect(contrast(color['on-accent']!, color[accent]!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color['on-danger']!, color.danger!)).toBeGreaterThanOrEqual(4.5);
  });

  it(`gives the edges of controls enough contrast, ${theme}`, () => {
    for (const surface of surfaces) expect(contrast(color.edge!, color[surface]!)).toBeGreaterThanOrEqual(3);
  });
}

it('gives the dark theme the same colors when the system asks for it and when the page does', () => {
  expect(colors(":root:not(:where([data-theme='light'], [data-theme='light'] *))")).toEqual(themes.dark);
});
