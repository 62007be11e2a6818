/**
 * Prints nodes, processor time and accuracy of the qualities that the studio offers, over drawings whose originals are
 * known. Qualities take turns in being first, and the least time of each stage in some runs counts. Fails unless nodes,
 * time and closeness are in the order of the qualities.
 * Run: tsx packages/vectorizer/bench/qualities.ts [runs of each]
 */
import { type Bitmap, type Drawing, vectorize, writeSvg } from '../src/index.ts';
import { loadArt, makeInput } from './art.ts';
import { judge, readOriginal } from './judge.ts';
import { measurePaths } from './metrics.ts';

const runs = Number(process.argv[2] ?? 3);
const names = ['owl', 'parrot', 'figma', 'hummingbird', 'rose', 'feather', 'microsoft-edge', 'rye'];
/** The drawings are traced at twice the size of the other benches: about that of a usual upload. */
const SCALE = 2;
/** As `toVectorizerOptions` of packages/contract translates them. */
const optionsOf = {
  low: { quality: 'draft', refine: false },
  medium: { quality: 'coarse', refine: 'once' },
  high: { quality: 'fine' },
} as const;
const qualities = ['low', 'medium', 'high'] as const;
/**
 * The stages whose work depends on the quality. The others have the same inputs at each quality, and varied by more
 * from run to run than the qualities differ: their least time of all qualities counts.
 */
const OWN_STAGES = new Set(['curves', 'refine', 'stack']);
/** The most nodes and time that a quality may have, as a share of the next finer one, and the most nodes of low. */
const MOST_NODES = 0.9;
const MOST_TIME = 1;
const MOST_NODES_OF_LOW = 0.75;

console.log(`ms: processor time, of each stage the least of ${runs === 1 ? '1 run' : `${runs} runs`}`);
const totals = qualities.map(() => ({ nodes: 0, cpuMs: 0, edge: 0, count: 0 }));
console.log(
  `${'picture'.padEnd(22)}${qualities.map((quality) => `${quality}: nodes, ms, edge px`.padEnd(28)).join('')}`,
);
for (const art of loadArt().filter(({ name }) => names.includes(name))) {
  const large = { ...art, width: art.width * SCALE };
  const original = readOriginal(large);
  for (const variant of ['clean', 'scan'] as const) {
    const input = await makeInput(large, variant);
    const leastMs = qualities.map(() => new Map<string, number>());
    const svgs = qualities.map(() => '');
    for (let run = 0; run < runs; run++) {
      for (let turn = 0; turn < qualities.length; turn++) {
        const i = (run + turn) % qualities.length;
        svgs[i] = writeSvg(timeStages(input, qualities[i], leastMs[i]));
      }
    }
    const leastOf = (stage: string, i: number): number =>
      Math.min(...leastMs.map((least, k) => (k === i || !OWN_STAGES.has(stage) ? (least.get(stage) ?? 0) : Infinity)));
    const cells = svgs.map((svg, i) => {
      const [nodes, edge] = [measurePaths(svg).segments, judge(svg, original).edge];
      const total = totals[i];
      const cpuMs = [...leastMs[i].keys()].reduce((sum, stage) => sum + leastOf(stage, i), 0);
      total.nodes += nodes;
      total.cpuMs += cpuMs;
      total.edge += edge;
      total.count++;
      return format(nodes, cpuMs, edge);
    });
    console.log(`${`${art.name}, ${variant}`.padEnd(22)}${cells.join('')}`);
  }
}
const means = totals.map(({ nodes, cpuMs, edge, count }) => format(nodes, cpuMs, edge / count));
console.log(`${'all'.padEnd(22)}${means.join('')}`);

const [low, medium, high] = totals;
const bars = [
  ['low has clearly fewer nodes than medium', low.nodes <= MOST_NODES * medium.nodes],
  ['medium has clearly fewer nodes than high', medium.nodes <= MOST_NODES * high.nodes],
  ['low has at most three quarters of the nodes of high', low.nodes <= MOST_NODES_OF_LOW * high.nodes],
  ['low takes no more processor time than medium', low.cpuMs <= MOST_TIME * medium.cpuMs],
  ['medium takes no more processor time than high', medium.cpuMs <= MOST_TIME * high.cpuMs],
  ['medium is closer to the originals than low', medium.edge < low.edge],
  ['high is closer to the originals than medium', high.edge < medium.edge],
] as const;
for (const [claim, holds] of bars) console.log(`${holds ? 'yes' : 'NO '} ${claim}`);
process.exit(bars.every(([, holds]) => holds) ? 0 : 1);

/** Traces a picture, and notes the processor time of each stage where it is the least so far. */
function timeStages(input: Bitmap, quality: (typeof qualities)[number], leastMs: Map<string, number>): Drawing {
  let stage = 'start';
  let start = process.cpuUsage();
  const note = (next: string): void => {
    const { user, system } = process.cpuUsage(start);
    leastMs.set(stage, Math.min(leastMs.get(stage) ?? Number.POSITIVE_INFINITY, (user + system) / 1000));
    stage = next;
    start = process.cpuUsage();
  };
  const drawing = vectorize(input, { ...optionsOf[quality], onProgress: note });
  note('end');
  return drawing;
}

function format(nodes: number, cpuMs: number, edgePx: number): string {
  return `${nodes}, ${cpuMs.toFixed(0)}, ${edgePx.toFixed(3)}`.padEnd(28);
}
