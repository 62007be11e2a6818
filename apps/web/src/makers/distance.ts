/** Distances, in the unit of the reader's country. */
import { MAKER_DISTANCES_KM } from '@markwright/contract/words';

export type Unit = 'km' | 'mi';

const KM_PER_MILE = 1.609344;
/** Beside the kilometers of the contract, about as far. */
const MILES = [15, 30, 60, 150] as const;
/** Countries whose road signs are in miles. */
const milesCountries = new Set(['US', 'GB', 'LR', 'MM']);

/** By the language the browser is set to: `en-US` and `en-GB` count in miles, `en` alone as the United States do. */
export function unitOf(locale: string): Unit {
  const { region } = new Intl.Locale(locale).maximize();
  return milesCountries.has(region ?? '') ? 'mi' : 'km';
}

/** The reader's. */
export function ownUnit(): Unit {
  try {
    return unitOf(navigator.language);
  } catch {
    return 'km';
  }
}

const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `34 km`, `1,250 mi`. Makers are known by their town alone, so nothing is told nearer than that. */
export function formatDistance(km: number, unit: Unit): string {
  const distance = unit === 'mi' ? km / KM_PER_MILE : km;
  return distance < 2 ? `under 2 ${unit}` : `${wholeNumbers.format(distance)} ${unit}`;
}

export interface Reach {
  /** In the address of the page. */
  readonly value: string;
  readonly label: string;
  /** Undefined: anywhere. */
  readonly km: number | undefined;
}

export const ANYWHERE = 'any';

/** The radii to choose from. */
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

/** Degrees clockwise from north in which a place lies from another. */
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
