/** Settings of a laser for one operation, by the names and in the units of LightBurn's files. */

export interface SettingRange {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: true;
}

const percent: SettingRange = { least: 0, most: 100 };
const flag: SettingRange = { least: 0, most: 1, isWhole: true };
const angle: SettingRange = { least: -3600, most: 3600 };

/** Powers and overscan in %, speed in mm/s, lengths in mm, angles in degrees, frequency in Hz, pulse width in ns. */
export const laserSettingRanges = {
  minPower: percent,
  maxPower: percent,
  minPower2: percent,
  maxPower2: percent,
  speed: { least: 0.001, most: 100_000 },
  frequency: { least: 0, most: 1e8 },
  QPulseWidth: { least: 0, most: 1e6 },
  kerf: { least: -10, most: 10 },
  zOffset: { least: -1000, most: 1000 },
  zPerPass: { least: -1000, most: 1000 },
  numPasses: { least: 1, most: 1000, isWhole: true },
  interval: { least: 0.0001, most: 100 },
  angle,
  anglePerPass: angle,
  crossHatch: flag,
  bidir: flag,
  overscan: flag,
  overscanPercent: percent,
  floodFill: flag,
  runBlower: flag,
  wobbleEnable: flag,
  useDotCorrection: flag,
  dotMode: flag,
  tabsEnabled: flag,
} as const satisfies Record<string, SettingRange>;

export type LaserSettingName = keyof typeof laserSettingRanges;

/** In the order in which they are written. */
export const laserSettingNames = Object.keys(laserSettingRanges) as readonly LaserSettingName[];

/** An absent setting is the program's default. */
export type LaserSettings = { readonly [name in LaserSettingName]?: number | undefined };

/** True for a value that a setting can have. */
export function isLaserSetting(name: LaserSettingName, value: number): boolean {
  const { least, most, isWhole }: SettingRange = laserSettingRanges[name];
  return value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

/** What a laser does with a layer. The three tones of an engraving have settings of their own. */
export const laserOperations = ['engrave', 'engraveMedium', 'engraveLight', 'score', 'cut'] as const;
export type LaserOperation = (typeof laserOperations)[number];

const operationOfLayer: Readonly<Record<string, LaserOperation>> = {
  'engrave-c00': 'engrave',
  'engrave-c16': 'engraveMedium',
  'engrave-c08': 'engraveLight',
  'score-c01': 'score',
  'cut-c02': 'cut',
};

/**
 * Returns the operation of a laser's plate or raster by its id; undefined for a guide, which the laser leaves alone.
 * The dots of a photograph are burnt as an engraved fill is.
 */
export const laserOperationOf = (plateId: string): LaserOperation | undefined =>
  plateId.startsWith('photo-') ? 'engrave' : operationOfLayer[plateId];
