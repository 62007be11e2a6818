/** The fields of a maker's page in words. */
import type { MakerCard, MakerDelivery, Town } from '@markwright/contract/schemas';
import { materialNames } from '../products/names.ts';

export const deliveryNames: Readonly<Record<MakerDelivery, string>> = {
  pickup: 'Pick-up only',
  region: 'Delivers nearby',
  country: 'Ships within the country',
  world: 'Ships abroad',
};

/** `Ships abroad, ready in about 5 days`; empty when nothing was said. */
export function termsOf({ delivery, turnaroundDays }: Pick<MakerCard, 'delivery' | 'turnaroundDays'>): string {
  const days = turnaroundDays === 1 ? 'a day' : `${turnaroundDays} days`;
  const ready = turnaroundDays === null ? undefined : `ready in about ${days}`;
  const words = [delivery && deliveryNames[delivery], ready].filter(Boolean).join(', ');
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

/** Ours by their names; the maker's own as they were typed. */
export const materialWords = (materials: readonly string[]): string[] =>
  materials.map((one) => (Object.hasOwn(materialNames, one) ? materialNames[one as keyof typeof materialNames] : one));

/** `Lyon, Auvergne-Rhône-Alpes, France`; a region called like its town is said once. */
export const townWords = ({ name, region, country }: Pick<Town, 'name' | 'region' | 'country'>): string =>
  [name, region === name ? '' : region, country === name ? '' : country].filter(Boolean).join(', ');
