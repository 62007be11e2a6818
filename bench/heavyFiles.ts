/**
 * Processor time and peak memory of 20,000 nodes on their way into machines' files: from artwork to job, from job to
 * each format with its read-back, and from an uploaded SVG to the whole package. A package is made twice, and the time
 * by the clock printed too: a process that has just begun spends as much again on other threads, where V8 compiles what
 * runs often. The server's workers live on from job to job. Each row and each step has a process of its own, because
 * memory is never given back, and runs bundled code, as the server's worker does.
 *
 * Run: npx tsx bench/heavyFiles.ts [name …] [--steps job,files,package]
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { FileOptions } from '@markwright/contract';
import { applyCommand, buildJob, type Command, emptyComposition, type Job, resolveScene } from '@markwright/scene';
import { createFontBook } from '@markwright/scene/text';
import { makeMachineFile } from '../apps/server/src/media/file.ts';
import { chooseFile, packageFormats } from '../apps/server/src/media/files/fileOptions.ts';
import { makeFormat } from '../apps/server/src/media/files/makeFile.ts';
import { addUnderbase } from '../packages/scene/src/production/underbase.ts';
import { bundleBench, WORKER_ARGS, WORKER_ENVIRONMENT } from './bundle.ts';
import { type HeavyDrawing, heavyDrawings, toSvg } from './heavyDrawings.ts';
import { peakMegabytes } from './peakMemory.ts';

const STEPS = ['job', 'files', 'package'] as const;
type Step = (typeof STEPS)[number];
/** The size of an upload. */
const SVG_BYTES = 500_000;
const BAR = { fileSeconds: 1, megabytes: 300, packageSeconds: 5 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { measure: { type: 'string' }, steps: { type: 'string', default: STEPS.join() } },
});

/** The measurements of one process: seconds by their names, its memory at the start and at most, facts beside them. */
interface Figures {
  readonly seconds: Readonly<Record<string, number>>;
  readonly startMegabytes: number;
  readonly megabytes: number;
  readonly note: string;
}

function composeDrawing({ machine }: HeavyDrawing) {
  const commands: Command[] = [
    { type: 'setMachine', machine },
    { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 1 },
    { type: 'updateDesign', id: 'design', changes: { x: 0, y: 0, size: 90, angleDeg: 0 } },
  ];
  return commands.reduce(applyCommand, emptyComposition);
}

async function measureSteps(drawing: HeavyDrawing, step: Step): Promise<Figures> {
  const seconds: Record<string, number> = {};
  const startMegabytes = peakMegabytes();
  const time = async <T>(name: string, run: () => T | Promise<T>): Promise<T> => {
    const start = process.cpuUsage();
    const startTime = performance.now();
    const result = await run();
    const { user, system } = process.cpuUsage(start);
    seconds[name] = (user + system) / 1e6;
    if (step !== 'job') seconds[`${name} by the clock`] = (performance.now() - startTime) / 1000;
    return result;
  };
  const artwork = drawing.draw();
  const composition = composeDrawing(drawing);
  const finish = (note: string): Figures => ({
    seconds,
    startMegabytes,
    megabytes: peakMegabytes(),
    note,
  });
  const choices = chooseFile(drawing.machine, undefined, FileOptions.parse({}));
  if (step === 'package') {
    const svg = toSvg(artwork, SVG_BYTES);
    const make = () =>
      makeMachineFile({
        composition,
        product: undefined,
        artworks: [{ id: 'design', picture: { svg, isUploaded: true } }],
        format: 'package',
        preset: undefined,
        options: FileOptions.parse({}),
        names: { designFilename: 'a.svg' },
        material: undefined,
        now: new Date(2026, 0, 1),
        mockup: undefined,
      });
    const { bytes } = await time('first', make);
    await time('second', make);
    return finish(`${Math.round(svg.length / 1000)} kB in, ${Math.round(bytes.length / 1000)} kB out`);
  }
  const scene = resolveScene(composition, {
    product: undefined,
    artworks: new Map([['design', artwork]]),
    fonts: createFontBook(),
  });
  const job = await time('job', () => buildJob(scene));
  if (step === 'job') {
    await time('white', () => addUnderbase(job, { mode: choices.white, chokeMm: choices.chokeMm }));
    return finish(`${countNodes(job)} nodes in the job`);
  }
  for (const format of packageFormats(job)) {
    await time(format, () => makeFormat(job, format, undefined, choices));
  }
  return finish('');
}

const countNodes = ({ plates }: Job): number => {
  const contoursOf = (plate: Job['plates'][number]) =>
    plate.kind === 'color'
      ? plate.groups.flatMap(({ shapes }) => shapes.flatMap(({ contours }) => contours))
      : plate.outlines.flatMap(({ contours }) => contours);
  return plates.flatMap(contoursOf).reduce((sum, { commands }) => sum + commands.length, 0);
};

function measureApart(bundle: string, name: string, step: Step): Figures {
  const args = [...WORKER_ARGS, bundle, '--measure', name, '--steps', step];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env: WORKER_ENVIRONMENT });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

async function printAll(names: readonly string[], steps: readonly Step[]): Promise<void> {
  const bundle = await bundleBench(import.meta.url);
  console.log('processor seconds; peak memory of a process that does this alone, and what it has before it begins, MB');
  for (const { name } of heavyDrawings) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const step of steps) {
      const { seconds, startMegabytes, megabytes, note } = measureApart(bundle, name, step);
      const list = Object.entries(seconds).map(([part, value]) => `${part} ${value.toFixed(2)}`);
      console.log(
        `${name.padEnd(14)}${step.padEnd(9)}${list.join(', ').padEnd(58)}${megabytes.toFixed(0).padStart(5)} (${startMegabytes.toFixed(0)})  ${note}`,
      );
    }
  }
  console.log(
    `bars: each format ${BAR.fileSeconds} s, memory ${BAR.megabytes} MB, from 500 kB of SVG to the package ` +
      `${BAR.packageSeconds} s`,
  );
}

if (values.measure) {
  const drawing = heavyDrawings.find(({ name }) => name === values.measure)!;
  console.log(JSON.stringify(await measureSteps(drawing, values.steps as Step)));
} else await printAll(positionals, values.steps.split(',') as Step[]);
