/**
 * The process with the model: some hundred megabytes while it waits, a gigabyte while it works, and may be killed at
 * any moment.
 */
import type { ModelJobs } from '../platform/ports/mediaJobs.ts';
import { open, segment } from './segment.ts';
import { serveJobs } from './serveJobs.ts';

serveJobs<ModelJobs>({ open, segment });
