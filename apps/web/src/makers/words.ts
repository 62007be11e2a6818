/** The fields of a maker's page as texts. */
import type { MakerCard, MakerDelivery, Town } from '@markwright/contract/schemas';
import { materialNames } from '../products/names.ts';

export const deliveryNames: Readonly<Record<MakerDelivery, string>> = {
  pickup: 'Pick-up only',
  region: 'Delivers nearby',
  country: 'Ships within the country',
  world: 'Ships abroad',
};

/** Writes `Ships abroad, ready in about 5 days`; empty when the maker gave neither. */
export function termsOf({ delivery, turnaroundDays }: Pick<MakerCard, 'delivery' | 'turnaroundDays'>): string {
  const days = turnaroundDays === 1 ? 'a day' : `${turnaroundDays} days`;
  const ready = turnaroundDays === null ? undefined : `ready in about ${days}`;
  const words = [delivery && deliveryNames[delivery], ready].filter(Boolean).join(', ');
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

/** Returns the names of materials: of ours the translated ones, of the maker's own the typed ones. */
export const materialWords = (materials: readonly string[]): string[] =>
  materials.map((one) => (Object.hasOwn(materialNames, one) ? materialNames[one as keyof typeof materialNames] : one));

/** Writes `Lyon, Auvergne-Rhône-Alpes, France`. Leaves out a region or country with the name of the town. */
export const townWords = ({ name, region, country }: Pick<Town, 'name' | 'region' | 'country'>): string =>
  [name, region === name ? '' : region, country === name ? '' : country].filter(Boolean).join(', ');
