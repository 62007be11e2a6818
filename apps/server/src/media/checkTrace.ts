/** The last step of a trace: what is stored is read like a stranger's file. */
import { readSvg, SvgRefused, writeSvg } from '@markwright/scene';
import { AppError } from '../platform/errors.ts';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';

/** Advice for a picture that gives no trace, as the end of a sentence. */
export interface TraceAdvice {
  /** When nothing is left of a picture. */
  readonly empty: string;
  /** When there is too much. */
  readonly full: string;
}

/**
 * Checks the SVG of a trace with the same allow-list as an uploaded one. Throws unprocessable for one without a shape,
 * and for one that is larger than an SVG may be.
 */
export function checkTrace(svg: string, advice: TraceAdvice): MediaJobs['trace']['output'] {
  try {
    const { node, width, height } = readSvg(svg);
    if (!/<(path|circle|ellipse|rect) /.test(svg)) {
      throw new AppError('unprocessable', `Nothing is left of this picture with these settings. Try ${advice.empty}.`);
    }
    return { svg: writeSvg(node), width, height };
  } catch (error) {
    if (!(error instanceof SvgRefused)) throw error;
    throw new AppError('unprocessable', sayTooMuch(advice.full));
  }
}

/** Returns the sentence about a trace that is larger than an SVG may be. */
export const sayTooMuch = (advice: string): string =>
  `This picture has more detail than a vector file can hold. Try ${advice}.`;
