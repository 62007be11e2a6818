import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { findFontPath } from './files.ts';
import { allFontFiles, chooseFace, type FontRequest, findFont, fontCategories, fontFiles, isBundled } from './fonts.ts';

const require = createRequire(import.meta.url);
const fonts = fontCategories.flatMap((category) => category.fonts);

const line = (text: string, fontFamily: string): FontRequest => ({ text, fontFamily, isBold: false, isItalic: false });

describe('the bundled fonts', () => {
  it('fill six categories with at least six families each', () => {
    expect(fontCategories.map(({ id }) => id)).toEqual([
      ...['basic', 'bold-sans', 'script', 'serif-vintage', 'stencil', 'single-line'],
    ]);
    for (const { fonts: own } of fontCategories) expect(own.length).toBeGreaterThanOrEqual(6);
    expect(new Set(fonts.map(({ family }) => family)).size).toBe(fonts.length);
    expect(fontCategories[0]!.fonts[0]!.family).toBe('Open Sans');
  });

  it('are free to use and declared as dependencies', () => {
    const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).dependencies;
    const packages = new Set(fonts.filter(({ isSingleLine }) => !isSingleLine).map((font) => font.package));
    for (const name of packages) {
      const { license } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'));
      expect(['OFL-1.1', 'Apache-2.0'], name).toContain(license);
    }
    expect(Object.keys(own)).toEqual([...packages].sort());
  });

  it('name the license of each font of single lines beside its files', () => {
    const licenses = readFileSync(new URL('../singleLine/LICENSES.txt', import.meta.url), 'utf8');
    const families = fonts.filter(({ isSingleLine }) => isSingleLine).map(({ family }) => family);
    expect(families.length).toBeGreaterThanOrEqual(4);
    for (const family of families) {
      const [source, name] = family.split(' ');
      expect(licenses, family).toMatch(source === 'EMS' ? `- ${family}` : name!);
    }
    expect(licenses).toContain('SIL OPEN FONT LICENSE Version 1.1');
    expect(licenses).toContain('originally created by Dr. A. V. Hershey');
  });

  it('have files with unique names that exist on disk', () => {
    const names = new Set(allFontFiles.map(({ name }) => name));
    expect(names.size).toBe(allFontFiles.length);
    for (const name of names) expect(existsSync(findFontPath(name)!), name).toBe(true);
    expect(findFontPath('../package.json')).toBeUndefined();
  });
});

describe('a line of text', () => {
  it('uses the nearest existing face, and the default family when its own is unknown', () => {
    const face = (family: string, isBold: boolean, isItalic: boolean) =>
      chooseFace(findFont(family), { isBold, isItalic });
    expect(face('Open Sans', true, true)).toBe('700-italic');
    expect(face('Old Standard TT', true, true)).toBe('700-normal');
    expect(face('Pacifico', true, true)).toBe('400-normal');
    expect(face('Oswald', false, false)).toBe('500-normal');
    expect(findFont('Comic Sans').family).toBe('Open Sans');
    expect([isBundled('Comic Sans'), isBundled('Open Sans')]).toEqual([false, true]);
  });

  it('in single lines needs one file for any character: an outline would not stand among them', () => {
    expect(fontFiles({ ...line('Łódź', 'EMS Nixish'), isItalic: true }).map(({ name }) => name)).toEqual([
      'ems-nixish-400-italic.otf',
    ]);
  });

  it('needs the extended files only for extended characters', () => {
    expect(fontFiles(line('plain é', 'Lobster')).map(({ name }) => name)).toEqual(['lobster-latin-400-normal.woff2']);
    expect(fontFiles(line('Łódź', 'Lobster')).map(({ name }) => name)).toEqual([
      'lobster-latin-400-normal.woff2',
      'lobster-latin-ext-400-normal.woff2',
      'open-sans-latin-400-normal.woff2',
      'open-sans-latin-ext-400-normal.woff2',
    ]);
  });
});
