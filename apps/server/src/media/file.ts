/** The job `file`: resolves a composition and makes a machine's file of it. */
import type { FileReport } from '@markwright/contract';
import { buildJob, type Job, type Scene } from '@markwright/scene';
import { rotaryDiameterMm, type Taper, taperJob } from '@markwright/scene/production';
import { openBlankView } from '@markwright/scene/surface';
import { AppError } from '../platform/errors.ts';
import type { LimitStep, MediaJobs } from '../platform/ports/mediaJobs.ts';
import { resolveInput } from './draw.ts';
import { withoutLimit } from './drawingLimit.ts';
import { chooseFile } from './files/fileOptions.ts';
import { makePackage, makeSheet, SHEET_ENDING, titleOf } from './files/jobPackage.ts';
import { reportSettings, toLightBurnOptions } from './files/laserPowers.ts';
import { type FormatFile, makeFormat, withWhite } from './files/makeFile.ts';
import { drawPaperTest, PAPER_TEST_ENDING } from './files/paperTest.ts';
import { measurePlates, roundMm } from './files/report.ts';

export const NOTHING_TO_MAKE =
  'Nothing of this design would be made: it is hidden, outside the machine area, or too fine for the machine.';

/**
 * Throws unprocessable for a composition that cannot be made, as `draw` does, for one of which nothing is left, and for
 * a format that the machine has no use for. A file that differs from its job when it is read back is an Error, and
 * never returned.
 */
export async function makeMachineFile(
  input: MediaJobs['file']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['file']['output']> {
  const { format, preset, options } = input;
  const scene = await resolveInput({ ...input, target: { kind: 'production' } }, limitStep);
  const { isMirrored, kerfMm } = options;
  const flatJob = buildJob(scene, {
    ...(isMirrored !== undefined && { isMirrored }),
    ...(kerfMm !== undefined && { kerfMm }),
  });
  const { job, taper } = makeUpForTaper(flatJob, scene, options.taper);
  if (job.plates.length === 0 && job.rasters.length === 0) throw new AppError('unprocessable', NOTHING_TO_MAKE);
  if (format === 'paperTest') return makePaperTest(scene, input);
  const lightBurn = toLightBurnOptions(job, input);
  const hasSettings = job.machine === 'laser' && ['lbrn2', 'package', 'sheet'].includes(format);
  const choices = { ...chooseFile(job.machine, preset, options, input.profile), taper };
  const report = (file: FormatFile) => ({
    widthMm: roundMm(file.size?.widthMm ?? job.widthMm),
    heightMm: roundMm(file.size?.heightMm ?? job.heightMm),
    isMirrored: job.isMirrored,
    colors: file.colors ?? null,
    ...(taper && { taper }),
    layers: measurePlates(file.job),
    ...(hasSettings && { settings: reportSettings(job, input, lightBurn) }),
    findings: job.findings.map(({ kind, elementId, count, lengthMm }) => ({ kind, elementId, count, lengthMm })),
  });
  if (format === 'package') {
    const { bytes, first, files } = await makePackage(job, choices, input, lightBurn);
    return { bytes, ending: '.zip', report: { ...report(first), files: [...files] } };
  }
  if (format === 'sheet') {
    const whole = withWhite(job, choices);
    const bytes = await makeSheet(whole, choices, input, lightBurn, input.papers);
    return {
      bytes,
      ending: SHEET_ENDING,
      report: report({ bytes, ending: SHEET_ENDING, colors: undefined, job: whole }),
    };
  }
  const file = await makeFormat(job, format, preset, choices, lightBurn);
  return { bytes: file.bytes, ending: file.ending, report: report(file) };
}

const DOTS_ON_TAPER =
  'A photograph in dots cannot make up for the taper of this blank. Burn it as Tones, or leave the taper out.';

/** Returns the job made up for a tapered blank where that was asked for, and for any other one as it is. */
function makeUpForTaper(job: Job, scene: Scene, kind: Taper | undefined): { job: Job; taper?: FileReport['taper'] } {
  const blank = scene.backdrop?.surface;
  if (!kind || blank?.form.kind !== 'cone') return { job };
  if (job.rasters.length > 0) throw new AppError('unprocessable', DOTS_ON_TAPER);
  const view = openBlankView(blank, scene);
  const diameterMm = Math.round(10 * rotaryDiameterMm(view)) / 10;
  return { job: taperJob(job, view, kind), taper: { kind, diameterMm } };
}

/** Makes the paper test of a round blank. It is never mirrored: paper lies on the blank as the marks will. */
async function makePaperTest(
  scene: Scene,
  { names, now }: MediaJobs['file']['input'],
): Promise<MediaJobs['file']['output']> {
  const job = buildJob(scene, { isMirrored: false });
  const bytes = await drawPaperTest(scene, job, titleOf(names), now);
  const report = {
    ...{ widthMm: roundMm(job.widthMm), heightMm: roundMm(job.heightMm), isMirrored: false, colors: null },
    ...{ layers: measurePlates(job), findings: [] },
  };
  return { bytes, ending: PAPER_TEST_ENDING, report };
}
