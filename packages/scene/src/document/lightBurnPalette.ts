/**
 * LightBurn's palette: the color of each layer, by its slot. Slots 0…29 are made; 30 and 31 (T1, T2) are tool layers,
 * which are shown and never made. Source: LightBurn 2.0 documentation, Reference > UI > Color Palette.
 */
export const lightBurnPalette: readonly string[] = [
  ...['#000000', '#0000FF', '#FF0000', '#00E000', '#D0D000', '#FF8000', '#00E0E0', '#FF00FF'],
  ...['#B4B4B4', '#0000A0', '#A00000', '#00A000', '#A0A000', '#C08000', '#00A0FF', '#A000A0'],
  ...['#808080', '#7D87B9', '#BB7784', '#4A6FE3', '#D33F6A', '#8CD78C', '#F0B98D', '#F6C4E1'],
  ...['#FA9ED4', '#500A78', '#B45A00', '#004754', '#86FA88', '#FFDB66', '#F36926', '#0C96D9'],
];

/** The slot of the first tool layer. */
export const FIRST_TOOL_SLOT = 30;

/** Returns the name that LightBurn gives a slot: `C00`…`C29`, `T1`, `T2`. */
export const lightBurnSlotName = (slot: number): string =>
  slot < FIRST_TOOL_SLOT ? `C${String(slot).padStart(2, '0')}` : `T${slot - FIRST_TOOL_SLOT + 1}`;

/** Returns the slot of a color, whatever its case; undefined for one that is not in the palette. */
export function lightBurnSlotOf(color: string): number | undefined {
  const slot = lightBurnPalette.indexOf(color.toUpperCase());
  return slot < 0 ? undefined : slot;
}
