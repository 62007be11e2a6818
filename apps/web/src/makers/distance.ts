/** Distances in the unit of the reader's country. */
import { MAKER_DISTANCES_KM } from '@markwright/contract/words';

export type Unit = 'km' | 'mi';

const KM_PER_MILE = 1.609344;
/** Round miles, each about as far as the kilometers of the contract at its place. */
const MILES = [15, 30, 60, 150] as const;
/** Countries whose road signs are in miles. */
const milesCountries = new Set(['US', 'GB', 'LR', 'MM']);

/** Returns the unit of a language setting: miles for `en-US` and `en-GB`, and for `en`, which counts as `en-US`. */
export function unitOf(locale: string): Unit {
  const { region } = new Intl.Locale(locale).maximize();
  return milesCountries.has(region ?? '') ? 'mi' : 'km';
}

/** Returns the unit of the reader, from the language of the browser. */
export function ownUnit(): Unit {
  try {
    return unitOf(navigator.language);
  } catch {
    return 'km';
  }
}

const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Writes `34 km` or `1,250 mi`. Only the town of a maker is known, so everything nearer is `under 2 km`. */
export function formatDistance(km: number, unit: Unit): string {
  const distance = unit === 'mi' ? km / KM_PER_MILE : km;
  return distance < 2 ? `under 2 ${unit}` : `${wholeNumbers.format(distance)} ${unit}`;
}

export interface Reach {
  /** The value in the page's address. */
  readonly value: string;
  readonly label: string;
  /** Undefined for any distance. */
  readonly km: number | undefined;
}

export const ANYWHERE = 'any';

/** Returns the radii to choose from. */
export function reachesIn(unit: Unit): Reach[] {
  return [
    ...MAKER_DISTANCES_KM.map((km, index) => {
      const distance = unit === 'mi' ? (MILES[index] ?? km) : km;
      return {
        value: String(km),
        label: `Within ${distance} ${unit}`,
        km: unit === 'mi' ? distance * KM_PER_MILE : km,
      };
    }),
    { value: ANYWHERE, label: 'Any distance', km: undefined },
  ];
}

/** Returns the bearing from one place to another, in degrees clockwise from north. */
export function bearingTo(from: LatLon, to: LatLon): number {
  const radians = Math.PI / 180;
  const [a, b, across] = [from.lat * radians, to.lat * radians, (to.lon - from.lon) * radians];
  const east = Math.sin(across) * Math.cos(b);
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(across);
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

interface LatLon {
  readonly lat: number;
  readonly lon: number;
}
