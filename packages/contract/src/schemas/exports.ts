import { SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { call } from './call.ts';
import { FellBack } from './designs.ts';

const Made = z.object({ url: z.string(), filename: z.string(), fellBack: FellBack });
const Recorded = z.object({ recorded: z.literal(true) });
const label = z.string().max(255).nullish();

export const exportCalls = {
  mockup: call({
    method: 'POST',
    path: '/api/exports/mockup',
    access: 'user',
    summary: 'Draws the PNG mockup of a composition at 2x; charged once per distinct composition and month',
    body: z.object({ composition: SavedComposition }),
    reply: Made,
  }),
  customSvg: call({
    method: 'POST',
    path: '/api/exports/custom-svg',
    access: 'user',
    summary: 'The 1000 x 1000 SVG of a composition; shares the charge of its production file',
    body: z.object({ composition: SavedComposition }),
    reply: Made,
  }),
  recordVector: call({
    method: 'POST',
    path: '/api/exports/record-vector',
    access: 'user',
    summary: 'Notes that a vector file was saved; the charge was made with the file',
    body: z.object({ designFilename: label, vectorMode: label }),
    reply: Recorded,
  }),
  recordMockup: call({
    method: 'POST',
    path: '/api/exports/record-mockup',
    access: 'anyone',
    summary: 'Notes that a mockup was saved; the charge was made with the file',
    body: z.object({ productName: label, designFilename: label }),
    reply: Recorded,
  }),
};
