/**
 * Reads a LightBurn material library (`.clb`): the speeds and powers of a shop, by material and operation. The format
 * is undocumented; what is known of it comes from public libraries and programs that read or write them.
 */
import {
  isLaserSetting,
  type LaserSettingName,
  type LaserSettings,
  laserSettingNames,
} from '../document/laserSettings.ts';
import { decodeTextFile, FileRefused } from './contourFile.ts';
import { parseXml, type XmlElement } from './xmlTree.ts';

export interface MaterialLibrary {
  /** The name that the shop gave it; empty if it has none. */
  readonly name: string;
  /** In the file's order. */
  readonly entries: readonly MaterialEntry[];
}

export interface MaterialEntry {
  readonly material: string;
  /** Undefined for an entry of any thickness. */
  readonly thicknessMm: number | undefined;
  /** The shop's own words: `Deep engrave`. */
  readonly description: string;
  /** `line` cuts or scores: LightBurn does not tell them apart. */
  readonly operation: 'engrave' | 'line' | 'engraveAndLine' | 'picture';
  readonly settings: LaserSettings;
}

const MATERIAL_LIBRARY_LIMITS = { bytes: 2 * 1024 * 1024, entries: 5000, nameLength: 200 } as const;

const operations: Readonly<Record<string, MaterialEntry['operation']>> = {
  Cut: 'line',
  Scan: 'engrave',
  'Scan+Cut': 'engraveAndLine',
  Image: 'picture',
};

/**
 * Returns the entries of a library. Settings that are not known stay out. Throws `FileRefused`, and nothing else, for a
 * file that is no library, is broken or too large, or has a setting outside its range: a power of 1,000 % must not be
 * guessed. Cost: linear.
 */
export function readMaterialLibrary(bytes: Uint8Array): MaterialLibrary {
  if (bytes.length > MATERIAL_LIBRARY_LIMITS.bytes) {
    throw new FileRefused('This material library is too large. Libraries may be up to 2 MB.');
  }
  const root = parseXml(decodeTextFile(bytes));
  if (root.tag !== 'LightBurnLibrary') throw new FileRefused('This file is no LightBurn material library.');
  const entries: MaterialEntry[] = [];
  for (const material of root.children) {
    if (material.tag !== 'Material') continue;
    const name = nameOf(material, 'name', 'a material');
    for (const entry of material.children) {
      if (entry.tag !== 'Entry') continue;
      if (entries.length === MATERIAL_LIBRARY_LIMITS.entries) {
        throw new FileRefused('This material library has too many entries. It may have 5,000.');
      }
      const read = readEntry(entry, name);
      if (read) entries.push(read);
    }
  }
  if (entries.length === 0) throw new FileRefused('This material library has no entries.');
  return { name: (root.attrs.DisplayName ?? '').slice(0, MATERIAL_LIBRARY_LIMITS.nameLength), entries };
}

function readEntry(entry: XmlElement, material: string): MaterialEntry | undefined {
  const setting = entry.children.find(({ tag }) => tag === 'CutSetting' || tag === 'CutSetting_Img');
  const operation = operations[setting?.attrs.type ?? ''];
  if (!setting || !operation) return undefined;
  const description = nameOf(entry, 'Desc', 'an entry');
  const thickness = Number(entry.attrs.Thickness ?? '-1');
  if (!(Math.abs(thickness) < 10_000)) throw valueError('Thickness', entry.attrs.Thickness, material, description);
  const settings: Partial<Record<LaserSettingName, number>> = {};
  for (const { tag, attrs } of setting.children) {
    const name = laserSettingNames.find((candidate) => candidate === tag);
    if (!name || attrs.Value === undefined) continue;
    const value = attrs.Value.trim() === '' ? Number.NaN : Number(attrs.Value);
    if (!isLaserSetting(name, value)) throw valueError(name, attrs.Value, material, description);
    settings[name] = value;
  }
  return { material, thicknessMm: thickness < 0 ? undefined : thickness, description, operation, settings };
}

function nameOf({ attrs }: XmlElement, attribute: string, owner: string): string {
  const name = (attrs[attribute] ?? '').trim();
  if (name.length > MATERIAL_LIBRARY_LIMITS.nameLength) throw new FileRefused(`The name of ${owner} is too long.`);
  return name;
}

const valueError = (name: string, value: string | undefined, material: string, description: string) =>
  new FileRefused(
    `“${description}” of “${material}” has a ${name} that no machine has: ${(value ?? '').slice(0, 30) || 'none'}.`,
  );
