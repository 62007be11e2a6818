/** Makes the library of icons from the sets of the packages. The build runs it; no page loads it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type IconIndexFile, readIcon, toSlices } from '@markwright/scene/icons';

/** A file of a package of Iconify, as far as it is read here (https://iconify.design/docs/types/iconify-json.html). */
interface IconFile {
  readonly icons: Readonly<Record<string, IconData>>;
  readonly width?: number;
  readonly height?: number;
}
interface IconData {
  readonly body: string;
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  readonly hidden?: boolean;
}

/**
 * The sets, in the order in which they are found. All of them may be used in products that are sold, without a line
 * about their authors on each product. Left out are marks of companies, and of several weights of a picture all but the
 * plain and the filled one.
 */
const sets = [
  {
    prefix: 'fluent-emoji-high-contrast',
    title: 'Fluent Emoji by Microsoft Corporation',
    license: 'MIT',
    url: 'https://github.com/microsoft/fluentui-emoji/blob/main/LICENSE',
    isWanted: () => true,
  },
  {
    prefix: 'ph',
    title: 'Phosphor Icons',
    license: 'MIT',
    url: 'https://github.com/phosphor-icons/core/blob/main/LICENSE',
    isWanted: (name: string) => !/-(thin|light|bold|duotone)$|-logo\b/.test(name),
  },
  {
    prefix: 'tabler',
    title: 'Tabler Icons by Paweł Kuna',
    license: 'MIT',
    url: 'https://github.com/tabler/tabler-icons/blob/main/LICENSE',
    // The others are lines, whose outlines are ten times as long.
    isWanted: (name: string) => name.endsWith('-filled') && !name.startsWith('brand-'),
  },
  {
    prefix: 'temaki',
    title: 'Temaki by its contributors',
    license: 'CC0-1.0',
    url: 'https://github.com/rapideditor/temaki/blob/main/LICENSE.md',
    isWanted: () => true,
  },
] as const;

/** What one browses, by the categories of the first set. */
const topics = {
  'Animals & Nature': 'Animals',
  'Food & Drink': 'Food',
  Activities: 'Activities',
  'Travel & Places': 'Places',
  Objects: 'Objects',
  Symbols: 'Symbols',
  'People & Body': 'People',
  'Smileys & Emotion': 'Faces',
} as const;

/** The files of the library. Cost: 20 s of processor time. */
export interface IconLibraryFiles {
  readonly index: IconIndexFile;
  readonly slices: readonly (readonly string[])[];
}

/** An icon that is no plain outline of one color, or that is too detailed, is left out. */
export function makeIconLibrary(): IconLibraryFiles {
  const outlines: string[] = [];
  const entries = sets.map(({ isWanted, ...set }) => {
    const { icons, ...file } = read<IconFile>(`${set.prefix}/icons.json`);
    const { categories = {} } = read<{ categories?: Record<string, string[]> }>(`${set.prefix}/metadata.json`);
    const topicOf = new Map(
      Object.entries(categories).flatMap(([category, names]) => names.map((name) => [name, category] as const)),
    );
    const letterOf = (name: string) => {
      const at = Object.keys(topics).indexOf(topicOf.get(name) ?? '');
      return at < 0 ? '-' : String.fromCharCode(97 + at);
    };
    const names: string[] = [];
    // One browses a topic from its beginning, and then its first icons come in one slice.
    for (const name of Object.keys(icons).sort((a, b) => (letterOf(a) + a < letterOf(b) + b ? -1 : 1))) {
      const icon = icons[name]!;
      const outline = icon.hidden || !isWanted(name) ? undefined : readIcon(toSvg(icon, file));
      if (!outline || outline.length > MAX_LENGTH) continue;
      names.push(name);
      outlines.push(outline);
    }
    return { ...set, names: names.join(' '), ...(topicOf.size > 0 && { topics: names.map(letterOf).join('') }) };
  });
  return { index: { topics: Object.values(topics), sets: entries }, slices: toSlices(outlines) };
}

/** Characters of an outline. What has more is a picture and no icon. */
const MAX_LENGTH = 12_000;

/** A clip to the whole page clips nothing. */
const PAGE_CLIP = /<clipPath id="[^"]*"><path fill="#fff" d="M0 0h32v32H0z"\/><\/clipPath>/;

function toSvg({ body, left = 0, top = 0, ...icon }: IconData, set: Omit<IconFile, 'icons'>): string {
  const { width = set.width ?? 16, height = set.height ?? 16 } = icon;
  const plain = PAGE_CLIP.test(body) ? body.replaceAll(/ clip-path="[^"]*"/g, '') : body;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}">${plain}</svg>`;
}

const { resolve } = createRequire(import.meta.url);
const read = <T>(path: string): T => JSON.parse(readFileSync(resolve(`@iconify-json/${path}`), 'utf8')) as T;
