/** The pixels of printed files. */
import type { Job } from './job.ts';

export const PRINT_DPI = 300;
/** 22 × 30 inches at 300 dpi. Files are made by bands, so this is a limit of time and of the file's size. */
const MAX_PIXELS = 60_000_000;
const MM_PER_INCH = 25.4;

type Area = Pick<Job, 'widthMm' | 'heightMm'>;

export const toPixels = (mm: number, dpi: number): number => Math.max(1, Math.round((mm / MM_PER_INCH) * dpi));

/** True for an area that is small enough for a file of pixels. */
export const fitsPixels = ({ widthMm, heightMm }: Area, dpi = PRINT_DPI): boolean =>
  toPixels(widthMm, dpi) * toPixels(heightMm, dpi) <= MAX_PIXELS;
