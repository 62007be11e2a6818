/**
 * Prints the processor time and the memory of one outline format of 20,000 nodes, written and read back, in a process
 * that has done nothing before. `files.ts` runs its bundle for each format. Run: node BUNDLE FORMAT.
 */
import type { Job } from '@markwright/scene';
import { makeOutlineFile, type OutlineFormat, writeOutlineFile } from '@markwright/scene/production';
import { randomJob } from '../packages/scene/src/production/randomJobs.ts';
import { peakMegabytes } from './peakMemory.ts';

const NODES = 20_000;

const countNodes = ({ plates }: Job): number =>
  plates
    .flatMap((plate) => (plate.kind === 'color' ? [] : plate.outlines.flatMap(({ contours }) => contours)))
    .reduce((sum, { commands }) => sum + commands.length + 1, 0);

const time = (work: () => void): string => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / 1e6).toFixed(2);
};

const format = process.argv[2] as OutlineFormat;
let cells = 800;
let job = randomJob(1, cells);
while (countNodes(job) < NODES) {
  cells += 100;
  job = randomJob(1, cells);
}
let bytes = 0;
const write = time(() => {
  bytes = writeOutlineFile(job, format).length;
});
const make = time(() => makeOutlineFile(job, format));
const megabytes = peakMegabytes();
console.log(
  `${format.padEnd(12)}${write.padStart(17)}${make.padStart(22)}${megabytes.toFixed(0).padStart(16)}` +
    `${(bytes / 1024).toFixed(0).padStart(12)}   (${countNodes(job)} nodes)`,
);
