// The parts of docs/figures.md: what prints each one, which paths it measures, and how the file is read and written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const file = join(root, 'docs', 'figures.md');
const tsx = 'node_modules/tsx/dist/cli.mjs';
const scene = 'packages/scene/src';
const editor = 'packages/editor/src';
const vectorizer = 'packages/vectorizer/src';
const web = 'apps/web/src';
const server = 'apps/server/src';

const benchesOf = (...names) => names.map((name) => `packages/vectorizer/bench/${name}.ts`);
const cameraBench = benchesOf('cameraBench', 'camera', 'cameraSensor', 'cameraArt', 'cameraHeldArt', 'cameraScore');

/** Describes a bench that runs the built pages and server. Its own file counts as code that it measures. */
const benchOfBuild = (name, title, measures) => {
  const script = `bench/${name}.ts`;
  return { name, title, args: [tsx, script], isBuilt: true, measures: [...measures, script] };
};

/**
 * `measures`: the figures are out of date once one of these paths has changed. `isBuilt`: the bench needs the built
 * pages and server.
 */
export const parts = [
  {
    name: 'tracer',
    title: 'The tracer beside its peers',
    args: [tsx, 'packages/vectorizer/bench/peers.ts'],
    measures: [vectorizer, 'packages/vectorizer/bench'],
  },
  {
    name: 'qualities',
    title: 'Low, medium and high quality of a trace',
    // Three runs, of which each quality is the first in one: the first trace of a picture compiles code.
    args: [tsx, 'packages/vectorizer/bench/qualities.ts', '3'],
    measures: [vectorizer, 'packages/vectorizer/bench'],
  },
  {
    name: 'large',
    title: 'Traces of 50 megapixels, and sketches',
    args: [tsx, 'packages/vectorizer/bench/large.ts'],
    measures: [vectorizer, ...benchesOf('large', 'art')],
  },
  {
    name: 'segments',
    title: 'Segments, gaps and smooth nodes of a trace',
    // Drawings that were kept apart: the others are for work on the method.
    args: [tsx, 'packages/vectorizer/bench/segments.ts', '6', '--set', 'held'],
    measures: [
      vectorizer,
      ...benchesOf('segments', 'halves', 'curvesArt', 'art', 'breaks', 'paths', 'judge', 'metrics'),
    ],
  },
  {
    name: 'oneInk',
    title: 'Drawings in several colors traced in one ink',
    // Drawings that were kept apart: the others are for work on the method.
    args: [tsx, 'packages/vectorizer/bench/oneInk.ts', '10', '--set', 'held'],
    measures: [vectorizer, ...benchesOf('oneInk', 'halves', 'art', 'metrics', 'tracers')],
  },
  {
    name: 'regular',
    title: 'Symmetry and repeats made exact',
    // The seed that was kept apart: the others are for work on the method.
    args: [tsx, 'packages/vectorizer/bench/regularBench.ts', '22', '9'],
    measures: [vectorizer, ...benchesOf('regularBench', 'regularArt', 'regularScore')],
  },
  {
    name: 'lines',
    title: 'Parallel lines, right angles and equal widths made exact',
    // The seed that was kept apart: the others are for work on the method.
    args: [tsx, 'packages/vectorizer/bench/linesBench.ts', '36', '9'],
    measures: [vectorizer, ...benchesOf('linesBench', 'linesArt', 'regularArt', 'regularScore')],
  },
  {
    name: 'camera',
    title: 'Pictures taken by a camera',
    // Drawings and seeds that were kept apart: the others are for work on the method.
    args: [tsx, 'packages/vectorizer/bench/cameraBench.ts', '--set', 'held', '--fresh'],
    measures: [vectorizer, ...cameraBench],
  },
  {
    name: 'cameraOthers',
    title: 'Folds, scans, screens, pens and faults of a camera',
    args: [
      tsx,
      ...['packages/vectorizer/bench/cameraBench.ts', '--set', 'held', '--fresh'],
      ...['--surfaces', 'others', '--each-surface', '2'],
    ],
    measures: [vectorizer, ...cameraBench],
  },
  {
    name: 'colorModes',
    title: 'Color modes of a trace',
    args: [tsx, 'bench/colorModes.ts'],
    measures: [
      vectorizer,
      'packages/contract/src/tracing.ts',
      'packages/vectorizer/bench/modePictures.ts',
      'bench/colorModes.ts',
    ],
  },
  {
    name: 'background',
    title: 'Backgrounds taken away',
    args: [tsx, 'bench/background.ts'],
    measures: ['packages/matting/src', `${server}/media`, 'bench/background.ts'],
  },
  {
    name: 'mockups',
    title: 'Mockups of all products',
    args: [tsx, 'bench/mockups.ts'],
    measures: [
      `${server}/media/draw.ts`,
      `${server}/media/rasterize.ts`,
      `${server}/media/surroundings.ts`,
      `${server}/catalogue/seed`,
      'bench/mockups.ts',
    ],
  },
  {
    name: 'straighten',
    title: 'Tilted pictures straightened',
    // The seeds that were kept apart: the others are for work on the method.
    args: [tsx, 'bench/straighten.ts', '6', 'apart'],
    measures: [
      'packages/straighten/src',
      'packages/straighten/test',
      'bench/straighten.ts',
      'bench/straightenPictures.ts',
    ],
  },
  {
    name: 'rulers',
    title: 'Rulers in photographs of blanks',
    // A seed that was kept apart.
    args: [tsx, 'bench/rulers.ts', '271828'],
    measures: [`${web}/studioHost/blank`, 'bench/rulers.ts'],
  },
  {
    name: 'packing',
    title: 'Pieces packed on gang sheets',
    // A seed that was kept apart.
    args: [tsx, 'bench/packing.ts', '90210'],
    measures: ['packages/scene/src/sheets', 'bench/packing.ts'],
  },
  {
    name: 'engraving',
    title: 'Photographs engraved',
    args: [tsx, 'bench/engraving.ts'],
    measures: [
      'packages/engraving/src',
      'apps/server/src/media',
      'bench/engraving.ts',
      'bench/engravingMeasures.ts',
      'bench/bundle.ts',
    ],
  },
  {
    name: 'bundleSize',
    title: 'What each page loads first',
    args: ['bench/bundleSize.mjs'],
    isBuilt: true,
    measures: ['packages', web, 'apps/web/vite.config.ts', 'package-lock.json', 'bench/bundleSize.mjs'],
  },
  benchOfBuild('firstPaint', 'The studio on a slow line', [web, editor]),
  benchOfBuild('landing', 'The landing page in Lighthouse', [`${web}/pages/landing`, 'apps/web/vite.config.ts']),
  benchOfBuild('drag', 'Dragging a 20,000-node artwork', [scene, editor]),
  benchOfBuild('liveTrace', 'From a slider to the new trace', [vectorizer, `${editor}/core`, `${web}/studioHost`]),
  benchOfBuild('dropToTrace', 'From the drop of a photograph to its trace', [
    vectorizer,
    `${editor}/core`,
    `${server}/media`,
  ]),
  benchOfBuild('sampleToTrace', 'From opening the studio to a traced sample', [
    vectorizer,
    editor,
    `${web}/pages/studio`,
    `${web}/samples`,
  ]),
  benchOfBuild('myBlank', 'From the picture of a blank to the placed artwork', [
    `${web}/studioHost/blank`,
    `${web}/pages/studio`,
  ]),
  benchOfBuild('portraitOnSlate', 'From a portrait to its LightBurn project on slate', [
    'packages/engraving/src',
    `${web}/studioHost`,
    `${server}/media`,
    `${scene}/production`,
  ]),
  benchOfBuild('picker', 'A catalogue of 2,000 products', [editor, `${server}/catalogue`]),
  benchOfBuild('signIn', 'Known and unknown addresses', [`${server}/accounts`]),
  benchOfBuild('reads', 'Reads of the catalogue under load', [
    `${server}/catalogue`,
    `${server}/platform/mount.ts`,
    `${server}/platform/replies.ts`,
    `${server}/platform/http.ts`,
  ]),
  benchOfBuild('growth', 'Lists over a large database', [
    `${server}/orders`,
    `${server}/admin`,
    `${server}/designs/designs.ts`,
    `${server}/platform/paging.ts`,
    `${server}/platform/tenancy.ts`,
  ]),
  benchOfBuild('takeout', 'Takeouts of large accounts', [
    `${server}/privacy/takeout.ts`,
    `${server}/privacy/takeoutRun.ts`,
    `${server}/platform/paging.ts`,
    'apps/server/test/largeAccount.ts',
  ]),
  benchOfBuild('coldStart', 'Nodes that start', [
    `${server}/platform`,
    `${server}/main.ts`,
    `${server}/openContext.ts`,
    'bench/serverNodes.ts',
  ]),
  {
    name: 'sweeps',
    title: 'Sweeps of stored files',
    args: [tsx, 'bench/sweeps.ts'],
    measures: ['platform/orphans.ts', 'platform/sweepCursor.ts', 'storage/sweep.ts']
      .map((file) => `${server}/${file}`)
      .concat('bench/sweeps.ts'),
  },
  {
    name: 'emptyJobs',
    title: 'An empty job for pictures',
    args: [tsx, 'bench/emptyJobs.ts'],
    measures: ['pool', 'sharedPool', 'sharedQueue', 'workerProcess', 'serveJobs']
      .map((name) => `${server}/media/${name}.ts`)
      .concat('bench/emptyJobs.ts'),
  },
  benchOfBuild('servers', 'Work of one and of two servers, and a simulation of 64', [
    `${server}/platform`,
    `${server}/media/sharedPool.ts`,
    `${server}/media/sharedQueue.ts`,
    `${server}/designs`,
    'bench/serverNodes.ts',
    'bench/simulateServers.ts',
  ]),
  benchOfBuild('manyNames', 'A list of 1,000 names', [
    `${server}/exports`,
    `${server}/media/piece.ts`,
    `${server}/media/file.ts`,
    `${scene}/rows`,
  ]),
  benchOfBuild('busyMachine', 'Pictures on a busy machine', [`${server}/media`, `${server}/platform/callLimits.ts`]),
  benchOfBuild('burners', 'An attack with expensive pictures', [
    `${server}/media`,
    `${server}/platform/callLimits.ts`,
    `${server}/platform/progressStream.ts`,
    `${scene}/import`,
  ]),
  benchOfBuild('bulkUpload', 'A folder of 2,000 files', [`${server}/catalogue`, `${server}/media`]),
  {
    name: 'files',
    title: "Machines' files, read by other programs",
    // 20 minutes of processor time, and longer where the machine has other work.
    args: [tsx, 'bench/files.ts', '--count', '1000', '--ink', '50', '--seed', '18'],
    measures: [
      `${scene}/production`,
      `${scene}/import`,
      `${server}/media/files`,
      'bench/files.ts',
      'bench/fileTimes.ts',
      'bench/inkFiles.ts',
      'bench/bundle.ts',
    ],
  },
  {
    name: 'heavyFiles',
    title: "Machines' files of 20,000 nodes that overlap",
    args: [tsx, 'bench/heavyFiles.ts'],
    measures: [
      `${scene}/geometry`,
      `${scene}/production`,
      `${scene}/import`,
      `${server}/media/files`,
      'bench/heavyFiles.ts',
      'bench/heavyDrawings.ts',
      'bench/bundle.ts',
    ],
  },
];

const header = `# Figures

What \`npm run bench\` measured, in parts. Each part says when and at which commit it was measured, and what it measures.
\`npm run figures\` names the parts that are older than the code they measure. Times on a shared machine mean little
alone: compare them inside one part.
`;

/**
 * Returns a part of the file as text. `stamp`: `{ date: '2026-11-22', commit: '1a2b3c4', machine: '2 cores, Node
 * 20.20.2' }`.
 */
export function formatPart({ name, title, measures }, stamp, output) {
  return `## ${title}

Measured on ${stamp.date} at commit \`${stamp.commit}\`, ${stamp.machine}. Anew: \`npm run bench -- --write ${name}\`.
Measures ${listPaths(measures)}.

\`\`\`
${output.trim()}
\`\`\`
`;
}

/** Lists paths in a line, or one a line where that would be too long. */
function listPaths(paths) {
  const names = paths.map((path) => `\`${path}\``);
  const line = names.join(', ');
  return line.length > 110 ? names.join(',\n') : line;
}

/** Reads the file: the text of each part by its title, with its stamp; a part without a stamp has no commit. */
export function readParts() {
  if (!existsSync(file)) return new Map();
  const [, ...sections] = readFileSync(file, 'utf8').split(/^## /m);
  return new Map(
    sections.map((section) => {
      const title = section.slice(0, section.indexOf('\n'));
      const [, date, commit] = /^Measured on (\S+) at commit `(\w+)`/m.exec(section) ?? [];
      return [title, { text: `## ${section.trimEnd()}\n`, date, commit }];
    }),
  );
}

/** Writes the file with some parts replaced, in the order of `parts`. `texts`: the new text of a part by its title. */
export function writeParts(texts) {
  const before = readParts();
  const all = parts.flatMap(({ title }) => texts.get(title) ?? before.get(title)?.text ?? []);
  writeFileSync(file, [header, ...all].join('\n'));
}
