/** The abilities of each machine: its text colors, its operation for a shape, and LightBurn's layer colors. */
import type { MachineMode, Operation } from './composition.ts';
import type { MAX_TONES } from './limits.ts';

export interface Swatch {
  readonly name: string;
  readonly color: string;
}

export const BLACK = '#000000';
/** The light tone of bare brushed steel; shown as brushed metal on a laser product. */
export const BRUSHED = '#C0C0C0';
/** The gray-blue a `stainless` trace is painted with. */
export const STAINLESS = '#8496A9';

const laserColors: readonly Swatch[] = [
  { name: 'Black', color: BLACK },
  { name: 'Brushed Tumbler', color: BRUSHED },
];

const inkColors: readonly Swatch[] = [
  { name: 'Black', color: BLACK },
  { name: 'White', color: '#FFFFFF' },
  { name: 'Red', color: '#C8102E' },
  { name: 'Orange', color: '#F26B21' },
  { name: 'Yellow', color: '#F6C915' },
  { name: 'Green', color: '#1E7D3C' },
  { name: 'Blue', color: '#1F4FA3' },
  { name: 'Purple', color: '#6B2C91' },
  { name: 'Pink', color: '#E0559A' },
];

/** Returns the text colors that a machine offers. Only ink machines allow other colors too. */
export function textColors(machine: MachineMode): { swatches: readonly Swatch[]; allowsCustom: boolean } {
  return machine === 'laser'
    ? { swatches: laserColors, allowsCustom: false }
    : { swatches: inkColors, allowsCustom: true };
}

/** Returns the color itself for an ink machine, and the nearer of the two laser tones for a laser. */
export function toMachineColor(machine: MachineMode, color: string): string {
  if (machine !== 'laser') return color;
  return lightness(color) < 0.5 ? BLACK : BRUSHED;
}

/**
 * Returns what the machine does with a shape. Ink machines print everything. A laser engraves fills. It follows an
 * unfilled line: it cuts a pure red one, the color that shops agree on for cutting, and scores any other.
 */
export function operationOf(
  machine: MachineMode,
  shape: { readonly fill: string | undefined; readonly stroke: string | undefined },
): Operation {
  if (machine !== 'laser') return 'print';
  if (shape.fill) return 'engrave';
  return shape.stroke?.toLowerCase() === '#ff0000' ? 'cut' : 'score';
}

/** Returns the operations that a person can choose for a mark. Where there is one alone, there is nothing to choose. */
export function operationsOf(machine: MachineMode): readonly Operation[] {
  if (machine === 'laser') return ['engrave', 'score', 'cut', 'guide'];
  if (machine === 'uv') return ['print', 'white', 'gloss'];
  return machine === 'dtf' ? ['print', 'white'] : ['print'];
}

/** True for a machine that prints white ink below its colors: without it they would not be seen on a dark blank. */
export const hasWhiteInk = (machine: MachineMode): boolean => machine === 'uv' || machine === 'dtf';

/** The operations that a person chose for an element: for all of it, and for single colors. */
export interface OperationChoice {
  readonly operation?: Operation | undefined;
  readonly operations?: readonly { readonly color: string; readonly operation: Operation }[] | undefined;
  /** The order of an artwork's tones. */
  readonly tones?: readonly string[] | undefined;
}

/**
 * Returns what the machine does with a shape of an element: what was chosen for its color or for the whole element,
 * when the machine can do it, and otherwise what its paint says. A choice for the whole leaves white bare on a laser.
 */
export function chosenOperation(
  machine: MachineMode,
  shape: { readonly fill: string | undefined; readonly stroke: string | undefined },
  { operation, operations = [] }: OperationChoice,
): Operation {
  const color = (shape.fill ?? shape.stroke ?? BLACK).toLowerCase();
  const ofColor = operations.find((entry) => entry.color.toLowerCase() === color)?.operation;
  const isBare = machine === 'laser' && shape.fill !== undefined && isNearWhite(color);
  const choice = ofColor ?? (isBare ? undefined : operation);
  return choice && operationsOf(machine).includes(choice) ? choice : operationOf(machine, shape);
}

/** The color in which the stage shows what a tool follows: that of its layer. */
export const lineColors: Readonly<Partial<Record<Operation, string>>> = {
  score: '#0000FF',
  cut: '#FF0000',
  guide: '#F36926',
};

/** A LightBurn layer: its palette slot and exact color. */
export interface LaserLayer {
  readonly id: string;
  readonly color: string;
  readonly operation: 'engrave' | 'score' | 'cut';
}

/** The layers of engraved tones, the most burnt first. Three grays serve a design whose tones nobody has set. */
const toneLayers = [
  { id: 'engrave-c00', color: '#000000', operation: 'engrave' },
  { id: 'engrave-c16', color: '#808080', operation: 'engrave' },
  { id: 'engrave-c08', color: '#B4B4B4', operation: 'engrave' },
  { id: 'engrave-c09', color: '#0000A0', operation: 'engrave' },
  { id: 'engrave-c10', color: '#A00000', operation: 'engrave' },
  { id: 'engrave-c11', color: '#00A000', operation: 'engrave' },
  { id: 'engrave-c12', color: '#A0A000', operation: 'engrave' },
  { id: 'engrave-c13', color: '#C08000', operation: 'engrave' },
] as const satisfies readonly LaserLayer[] & { length: typeof MAX_TONES };

/** In running order: cuts come last, because a part that is cut free can move. */
export const laserLayers = [
  ...toneLayers,
  { id: 'score-c01', color: '#0000FF', operation: 'score' },
  { id: 'cut-c02', color: '#FF0000', operation: 'cut' },
] as const satisfies readonly LaserLayer[];

/**
 * Returns the layer of a mark with a color `#rrggbb` and an opacity 0…1. Engraved tones go to the nearest of three
 * grays of the palette: each is a layer of its own, so that each can have its own power. Returns undefined for what is
 * nearly white, which is bare material.
 */
export function laserLayerOf(operation: Operation, color: string, opacity: number): LaserLayer | undefined {
  const [engrave, engraveMid, engraveLight] = toneLayers;
  if (opacity <= 0) return undefined;
  if (operation === 'score' || operation === 'cut') return laserLayers.find((layer) => layer.operation === operation);
  if (operation !== 'engrave') return undefined;
  const tone = mixWithWhite(color, opacity);
  if (isNearWhite(tone)) return undefined;
  const gray = lightness(tone) * 255;
  if (gray < 64) return engrave;
  return gray < 154 ? engraveMid : engraveLight;
}

/** The layer of the n-th of an artwork's tones, from 0. */
export const toneLayer = (index: number): LaserLayer => toneLayers[Math.min(index, toneLayers.length - 1)]!;

/** Returns the place of a color among tones: its own, or that of the nearest in lightness. */
export function toneIndexOf(color: string, tones: readonly string[]): number {
  const own = tones.indexOf(color.toLowerCase());
  if (own >= 0) return own;
  const distances = tones.map((tone) => Math.abs(lightness(tone) - lightness(color)));
  return distances.indexOf(Math.min(...distances));
}

const channels = (color: string): [number, number, number] => {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

/** Returns the perceived lightness of `#rrggbb`, 0…1: Rec. 709 weights on the gamma-encoded channels. */
export function lightness(color: string): number {
  const [r, g, b] = channels(color);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** The least value of every channel, 0…255, of a color that counts as bare material. */
export const NEAR_WHITE = 244;
export const isNearWhite = (color: string): boolean => Math.min(...channels(color)) >= NEAR_WHITE;

function mixWithWhite(color: string, opacity: number): string {
  const tone = channels(color).map((channel) => Math.round(255 + (channel - 255) * Math.min(1, opacity)));
  return `#${tone.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
