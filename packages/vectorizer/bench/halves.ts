/**
 * Drawings of the icon sets that no other bench shows, in two halves: one to develop with, one set apart. A hash of the
 * name decides which half a drawing is of.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Art, type Kind, loadArt, randomFrom, toArt } from './art.ts';
import { measurePaths } from './metrics.ts';

const require = createRequire(import.meta.url);
interface Source {
  set: string;
  kind: Kind;
  fits(body: string): boolean;
}

const hasGradient = (body: string): boolean => /Gradient/.test(body);
/** Filters, masks, bitmaps and transforms would make the count of the original's segments doubtful. */
const isPlain = (body: string): boolean =>
  !/<(?:mask|filter|image|pattern|use|clipPath|text)|opacity=|transform="(?!matrix|translate|rotate)/.test(body);
const countFills = (body: string): number => new Set(body.match(/fill="#[0-9a-fA-F]+"/g) ?? []).size;
const SOURCES: Source[] = [
  { set: 'fluent-emoji-flat', kind: 'clip', fits: (body) => isPlain(body) && !hasGradient(body) },
  { set: 'logos', kind: 'logo', fits: (body) => isPlain(body) && !hasGradient(body) && countFills(body) >= 2 },
  { set: 'game-icons', kind: 'silhouette', fits: isPlain },
  { set: 'logos', kind: 'gradient', fits: (body) => isPlain(body) && hasGradient(body) },
];

/** Returns a number 0 ≤ r < 1 that depends on the name alone (FNV-1a, as the seed of a generator). */
function rank(name: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < name.length; k++) hash = Math.imul(hash ^ name.charCodeAt(k), 0x01000193);
  const next = randomFrom(hash >>> 0);
  next();
  return next();
}

/**
 * Loads drawings of each kind, in a fixed order: of the half to develop with, or of the one set apart. `first` leaves
 * out those before it.
 */
export function loadHalf(count: number, isApart: boolean, first = 0): Art[] {
  const tuningNames = new Set(loadArt().map(({ name }) => name));
  const art: Art[] = [];
  for (const { set, kind, fits } of SOURCES) {
    const {
      icons,
      width: usual = 16,
      height: usualHeight = 16,
    } = JSON.parse(readFileSync(require.resolve(`@iconify-json/${set}/icons.json`), 'utf8'));
    const names = Object.keys(icons)
      .filter((name) => !tuningNames.has(name) && rank(`half ${name}`) < 0.5 !== isApart)
      .filter((name) => fits(icons[name].body))
      .filter((name) => {
        const { width = usual, height = usualHeight, body } = icons[name];
        const { segments } = measurePaths(body);
        return width <= 3 * height && segments >= 8 && segments <= 400;
      })
      .sort((p, q) => rank(p) - rank(q))
      .slice(first, first + count);
    for (const name of names) {
      const { body, width = usual, height = usualHeight } = icons[name];
      art.push(toArt(name, kind, set, body.replaceAll('currentColor', '#000'), width, height));
    }
  }
  return art;
}
