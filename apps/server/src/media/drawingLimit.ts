import { SLOW_DRAWING } from '@markwright/scene';
import type { LimitStep, StepLimit } from '../platform/ports/mediaJobs.ts';

/**
 * The limit of reading or of drawing a stranger's SVG, for whatever the estimate of its cost does not know. It is below
 * the promised two seconds by the time between two readings. An honest drawing does not meet it: the estimate's budget
 * is 0.8 s of a common machine, which are 1.6 s on one of half the speed.
 */
export const DRAWING_LIMIT: StepLimit = { processorMs: 1_800, refusal: SLOW_DRAWING };

/** Runs a step without a limit, where no pool runs the job. */
export const withoutLimit: LimitStep = (_limit, step) => step();
