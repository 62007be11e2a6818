/** Compares versions of a composition. */
import { Composition } from '@markwright/scene';
import type { DeviceComposition } from './blankCopy.ts';

/** True when the server does not have all of this copy. */
export const isDue = ({ isUnsaved, isRenamed }: DeviceComposition): boolean => isUnsaved || isRenamed;

/** Returns a short hash; no two compositions a person ever makes have the same one. */
export function fingerprint(composition: Composition): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const character of toText(composition)) {
    const code = character.codePointAt(0)!;
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}

export const isSame = (a: Composition, b: Composition): boolean => a === b || toText(a) === toText(b);

/** Writes the fields in the schema's order, whatever order commands left them in. */
const toText = (composition: Composition): string => JSON.stringify(Composition.parse(composition));
