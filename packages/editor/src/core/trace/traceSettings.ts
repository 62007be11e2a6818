/**
 * Everything that a person sets about a trace, as one value, and how it becomes the settings of the server's calls.
 *
 * Palette size, despeckle and cutout are absent until the person sets them: a trace then leaves them to the server's
 * defaults, and the panel shows `shownSettings`.
 */
import type { PreviewSettings, VectorizeSettings } from '@markwright/contract/schemas';
import { isOneInk, PRODUCTION_DESPECKLE, PRODUCTION_PALETTE_SIZE } from '@markwright/contract/tracing';
import { PREVIEW_DEFAULTS, VECTORIZE_DEFAULTS } from '@markwright/contract/words';
import type { Framing, MachineMode } from '@markwright/scene';

export type TraceSettings = Omit<VectorizeSettings, 'mode' | 'machineType'>;

/** The settings that only count once the person has set them. */
type OptionalSettings = Required<Pick<TraceSettings, 'paletteSize' | 'despeckle' | 'cutout'>>;

/** The settings of a trace, and the machine it is made for. */
export interface TraceRequest {
  readonly settings: TraceSettings;
  readonly machine: MachineMode;
}

export const defaultColorMode = (machine: MachineMode) => (machine === 'laser' ? 'black' : 'color');

/**
 * Returns the settings that a machine's traces start with. A laser must burn nothing twice, so its shapes abut. Ink is
 * laid shape over shape, so that no hairline of the blank shows between two colors. Light is taken out of a picture
 * that a camera took; stored traces from before that name no light and keep it.
 */
export function defaultSettings(machine: MachineMode): TraceSettings {
  const { mode: _mode, ...defaults } = VECTORIZE_DEFAULTS;
  const shapeStacking = machine === 'laser' ? 'cutouts' : 'stacked';
  return { ...defaults, colorMode: defaultColorMode(machine), shapeStacking, light: 'automatic' };
}

/** Returns the optional settings as the panel shows them. One ink and the bare blank are two colors. */
export function shownSettings(settings: TraceSettings): OptionalSettings {
  return {
    paletteSize: settings.paletteSize ?? defaultPaletteSize(settings.colorMode),
    despeckle: settings.despeckle ?? PREVIEW_DEFAULTS.despeckle,
    cutout: settings.cutout ?? PREVIEW_DEFAULTS.cutout,
  };
}

const defaultPaletteSize = (colorMode: TraceSettings['colorMode']) =>
  isOneInk(colorMode) ? 2 : PRODUCTION_PALETTE_SIZE;

/** Returns the settings without those that only repeat what the panel shows anyway. */
export function withoutDefaults(settings: TraceSettings): TraceSettings {
  const { paletteSize, despeckle, cutout, ...rest } = settings;
  return {
    ...rest,
    ...(paletteSize !== undefined && paletteSize !== defaultPaletteSize(rest.colorMode) && { paletteSize }),
    ...(despeckle !== undefined && despeckle !== PREVIEW_DEFAULTS.despeckle && { despeckle }),
    ...(cutout !== undefined && cutout !== PREVIEW_DEFAULTS.cutout && { cutout }),
  };
}

/** Returns the settings without the optional ones: everything that only a full trace knows. */
export function withoutOptional(settings: TraceSettings): Omit<TraceSettings, keyof OptionalSettings> {
  const { paletteSize: _paletteSize, despeckle: _despeckle, cutout: _cutout, ...rest } = settings;
  return rest;
}

/** Returns the settings for the next picture: adjustments that belong to one picture do not carry over. */
export function forNextPicture(settings: TraceSettings): TraceSettings {
  const { straighten: _straighten, crop: _crop, threshold: _threshold, palette: _palette, ...rest } = settings;
  return { ...rest, brightness: 0, contrast: 0, light: 'automatic' };
}

/** Returns the settings for a part of the picture; undefined: all of it, as it is. */
export function withFraming(settings: TraceSettings, framing: Framing | undefined): TraceSettings {
  const { straighten: _straighten, crop: _crop, ...rest } = settings;
  const { straighten, crop } = framing ?? {};
  return { ...rest, ...(straighten && { straighten }), ...(crop && { crop }) };
}

export function withoutPalette(settings: TraceSettings): TraceSettings {
  const { palette: _palette, ...rest } = settings;
  return rest;
}

/** Applies changes. Edits of the palette are dropped when a change gives the trace other colors. */
export function changeSettings(settings: TraceSettings, changes: Partial<TraceSettings>): TraceSettings {
  const { paletteSize: paletteSizeBefore } = shownSettings(settings);
  const hasOtherColors =
    (['colorMode', 'brightness', 'contrast', 'light'] as const).some(
      (name) => name in changes && changes[name] !== settings[name],
    ) || (changes.paletteSize ?? paletteSizeBefore) !== paletteSizeBefore;
  return { ...(hasOtherColors ? withoutPalette(settings) : settings), ...changes };
}

/** True when two settings give the same trace, as far as the panel shows. */
export const isSameTrace = (a: TraceSettings, b: TraceSettings): boolean =>
  isSame({ ...a, ...shownSettings(a) }, { ...b, ...shownSettings(b) });

/** Compares field by field; a field that is absent equals one that is undefined. */
export function isSame<T extends object>(a: T, b: T): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof T>;
  return [...names].every((name) => a[name] === b[name] || JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

/** Returns the settings a stored trace was made with; `undefined` when the server does not know. */
export function fromVectorizeSettings(settings: VectorizeSettings | undefined): TraceSettings | undefined {
  if (!settings) return undefined;
  const { mode: _mode, machineType: _machine, paletteSize, despeckle, cutout, ...rest } = settings;
  return {
    ...rest,
    ...(paletteSize !== undefined && { paletteSize }),
    ...(despeckle !== undefined && { despeckle }),
    ...(cutout !== undefined && { cutout }),
  };
}

/** Returns the settings of the trace that a preview gave: it has a despeckle of its own where none was set. */
export const tracedByPreview = (settings: TraceSettings): TraceSettings => ({
  ...settings,
  despeckle: shownSettings(settings).despeckle,
});

/** Returns the settings of a full trace for the screen. */
export const toVectorizeSettings = ({ settings, machine }: TraceRequest): VectorizeSettings => ({
  ...settings,
  machineType: machine,
  mode: 'preview',
});

/** Returns the settings of a preview: only palette size, despeckle, cutout and color mode. */
export const toPreviewSettings = (settings: TraceSettings): PreviewSettings => ({
  ...shownSettings(settings),
  colorMode: settings.colorMode,
  mode: 'preview',
});

/** Returns the settings of a production file. */
export const toProductionSettings = ({ settings, machine }: TraceRequest): VectorizeSettings => ({
  ...settings,
  machineType: machine,
  quality: 'high',
  mode: 'vectorize',
  paletteSize: settings.paletteSize ?? PRODUCTION_PALETTE_SIZE,
  despeckle: settings.despeckle ?? PRODUCTION_DESPECKLE,
});
