import { SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { exportCalls as exportCallsPaths } from '../paths/exports.ts';
import { defineCalls } from './call.ts';
import { FellBack } from './designs.ts';

const Made = z.object({ url: z.string(), filename: z.string(), fellBack: FellBack });
const Recorded = z.object({ recorded: z.literal(true) });
const label = z.string().max(255).nullish();

export const exportCalls = defineCalls(exportCallsPaths, {
  mockup: {
    summary: 'Draws the PNG mockup of a composition at 2x; charged once per distinct composition and month',
    body: z.object({ composition: SavedComposition }),
    reply: Made,
  },
  customSvg: {
    summary: 'The 1000 x 1000 SVG of a composition; shares the charge of its production file',
    body: z.object({ composition: SavedComposition }),
    reply: Made,
  },
  recordVector: {
    summary: 'Notes that a vector file was saved; the charge was made with the file',
    body: z.object({ designFilename: label, vectorMode: label }),
    reply: Recorded,
  },
  recordMockup: {
    summary: 'Notes that a mockup was saved; the charge was made with the file',
    body: z.object({ productName: label, designFilename: label }),
    reply: Recorded,
  },
});
