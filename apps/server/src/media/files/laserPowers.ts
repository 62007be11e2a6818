/** The shop's speeds and powers for the layers of a job, and what the report says of them. */
import type { FileReport } from '@markwright/contract';
import type { Job } from '@markwright/scene';
import { type LaserSettings, type LightBurnOptions, laserOperationOf } from '@markwright/scene/production';
import type { FileInput } from '../../platform/ports/mediaJobs.ts';

/** Returns what a LightBurn project of the job needs beside its outlines. */
export function toLightBurnOptions(
  { rasters, plates }: Job,
  { laser, options, material }: FileInput,
): LightBurnOptions {
  const settings = new Map(
    [...rasters, ...plates].flatMap(({ id }) => {
      const own = laser?.settings.find(({ operation }) => operation === laserOperationOf(id));
      return own ? [[id, own.settings] as const] : [];
    }),
  );
  return {
    settings,
    isKerfApplied: (options.kerfMm ?? 0) > 0,
    notes: laser && settings.size > 0 ? [`Speeds and powers: ${laser.laser}, ${material ?? 'any material'}.`] : [],
  };
}

/** Formats a layer's power, speed and number of passes for the operator: `30 % · 250 mm/s · 2 passes`. */
export function saySettings(settings: LaserSettings | undefined): string {
  const { maxPower, speed, numPasses = 1 } = settings ?? {};
  const parts = [
    maxPower === undefined ? [] : `${toText(maxPower)} %`,
    speed === undefined ? [] : `${toText(speed)} mm/s`,
    numPasses > 1 ? `${numPasses} passes` : [],
  ].flat();
  return parts.length > 0 ? parts.join(' · ') : 'Set on the machine';
}

const toText = (value: number) => String(Number(value.toFixed(2)));

/** Returns a line of the report for each layer: the layer has the shop's speed and power, or placeholders. */
export function reportSettings(
  { rasters, plates }: Job,
  { laser, material }: Pick<FileInput, 'laser' | 'material'>,
  { settings }: LightBurnOptions,
): NonNullable<FileReport['settings']> {
  const ownLayers = [...rasters, ...plates.filter(({ kind }) => kind !== 'guide')];
  const layers = ownLayers.map(({ id }) => ({ id, isPlaceholder: !settings?.has(id) }));
  return { laser: laser?.laser ?? null, material: material ?? null, layers };
}
