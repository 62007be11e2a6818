import { parseComposition, SavedComposition, saveComposition } from '@markwright/scene';
import { z } from 'zod';
import { exportCalls as exportCallsPaths } from '../paths/exports.ts';
import { MOCKUP_SCENES } from '../words/mockupScenes.ts';
import { defineCalls } from './call.ts';
import { FellBack } from './designs.ts';
import { FileReport, FileRequest } from './machineFiles.ts';

const ExportFile = z.object({ url: z.string(), filename: z.string(), fellBack: FellBack });
const RecordedReply = z.object({ recorded: z.literal(true) });
const label = z.string().max(255).nullish();
/** The answers when a file of a composition cannot be drawn. */
const drawingErrors = {
  402: 'The allowance of the month is used up.',
  404: 'The design or the product does not exist.',
  413: 'The caller’s space for files is full.',
  422: 'The design cannot be drawn.',
  507: 'The server’s disk is full.',
};

export const exportCalls = defineCalls(exportCallsPaths, {
  mockup: {
    summary: 'Make a mockup',
    description:
      'Draws the PNG mockup of a composition at double size. It is charged once for each distinct ' +
      'composition and month, whatever its angles and scenes. A mockup of text alone is free. With `spin` it is a ' +
      'WebP in which a round blank turns once around, by the same charge. With `scene` the product stands or lies in ' +
      'surroundings for a listing, with its shadows, in a square of 2000 px.',
    body: z.object({
      composition: SavedComposition,
      turnDeg: z
        .number()
        .min(-360)
        .max(360)
        .optional()
        .describe('Degrees by which a round blank is turned about its axis: what faced the front moves to the right.'),
      spin: z.boolean().optional().describe('A picture that moves: `turnDeg` and `scene` are left out of it.'),
      scene: z
        .enum(MOCKUP_SCENES)
        .optional()
        .describe(
          'What the product stands in; absent: white. It needs a product whose picture has a clear background.',
        ),
    }),
    reply: ExportFile,
    errors: drawingErrors,
  },
  customSvg: {
    summary: 'Make a custom SVG',
    description: 'Draws the 1000 × 1000 SVG of a composition. It shares the charge of the production file.',
    body: z.object({ composition: SavedComposition }),
    reply: ExportFile,
    errors: drawingErrors,
  },
  file: {
    summary: 'Make a machine’s file',
    description:
      'Makes a file in a machine’s own format, reads it back, compares it with the design, and returns its address, its ' +
      'SHA-256 and a report of what it holds. All formats of one composition in one month are one production export, ' +
      'also when the production file was made before. `package` is a ZIP of the formats of the machine, with the mockup ' +
      'and a job sheet; `sheet` is the job sheet alone, a PDF for the operator; `paperTest` is the wall of a round blank unrolled at ' +
      'true size, a PDF to print and lay round it. SVG without a preset is the production ' +
      'file. LightBurn projects are opened, not imported, or their settings are lost; xTool projects are experimental.',
    body: FileRequest,
    examples: () => {
      const composition = saveComposition(
        parseComposition({ version: 0, data: { machine: 'laser', texts: [{ id: 'name', text: 'Oak & Co' }] } }),
      );
      return {
        dxf: { summary: 'A text as DXF', value: { composition, format: 'dxf' } },
        lightburn: {
          summary: 'A LightBurn project with the kerf made up for',
          value: { composition, format: 'lbrn2', options: { kerfMm: 0.2 } },
        },
      };
    },
    replyExample: {
      url: '/files/exports/0f3a….dxf?…',
      filename: 'Slate_Coaster_100x100mm.dxf',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      report: {
        ...{ widthMm: 100, heightMm: 100, isMirrored: false, colors: null, findings: [] },
        layers: [{ id: 'engrave-c00', kind: 'engrave', areaMm2: 412.5, lengthMm: null, contours: 9, openEnds: 0 }],
      },
    },
    reply: z.object({
      url: z.string(),
      filename: z.string(),
      sha256: z.string().describe('Of the whole file, 64 hexadecimal digits.'),
      report: FileReport,
      fellBack: FellBack,
    }),
    errors: { ...drawingErrors, 422: 'The design cannot be drawn, or the format is of no use to its machine.' },
  },
  recordVector: {
    summary: 'Record that a vector file was saved',
    description: 'Records an event for statistics. The charge was made with the file.',
    body: z.object({ designFilename: label, vectorMode: label }),
    reply: RecordedReply,
  },
  recordMockup: {
    summary: 'Record that a mockup was saved',
    description: 'Records an event for statistics. The charge was made with the file.',
    body: z.object({ productName: label, designFilename: label }),
    reply: RecordedReply,
  },
});
