/**
 * The process that runs the model: some hundred megabytes while it waits and a gigabyte while it works. It may be
 * killed at any moment.
 */
import type { ModelJobs } from '../platform/ports/mediaJobs.ts';
import { open, segment } from './segment.ts';
import { serveJobs } from './serveJobs.ts';

serveJobs<ModelJobs>({ open, segment });
