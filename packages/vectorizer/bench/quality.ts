/**
 * Measures the quality of the drawings against their originals, picture by picture, for clean, scanned and lossy input.
 * Run: tsx packages/vectorizer/bench/quality.ts [--write], which writes the table to quality.md, where a diff shows a
 * loss.
 */
import { writeFileSync } from 'node:fs';
import { vectorize, writeSvg } from '../src/index.ts';
import { drawPhoto, loadArt, makeInput, VARIANTS } from './art.ts';
import { judge, judgeLines, readOriginal } from './judge.ts';
import { colorError, formatTable, gzipKilobytes, measurePaths, render, similarity, toPicture } from './metrics.ts';

const HEAD = [
  'picture',
  'kind',
  'input',
  'edge px',
  'F.25',
  'color error',
  'segments ×',
  'colors ×',
  'crossings',
  'specks',
  'kB gz',
  'center px',
  'its segments ×',
];
const rows = [HEAD];
for (const art of loadArt()) {
  const original = readOriginal(art);
  for (const variant of VARIANTS) {
    const input = await makeInput(art, variant);
    const scores = judge(writeSvg(vectorize(input)), original);
    const lines = art.kind === 'line' ? writeSvg(vectorize(input, { draw: 'centerline' })) : undefined;
    rows.push([
      art.name,
      art.kind,
      variant,
      scores.edge.toFixed(3),
      scores.f25.toFixed(3),
      scores.color.toFixed(2),
      scores.segmentsRatio.toFixed(2),
      art.kind === 'gradient' ? '' : scores.colorsRatio.toFixed(2),
      String(scores.crossings),
      String(scores.specks),
      scores.kilobytes.toFixed(1),
      lines === undefined ? '' : judgeLines(lines, original).toFixed(3),
      lines === undefined ? '' : (measurePaths(lines).segments / original.segments).toFixed(2),
    ]);
  }
}

const photo = drawPhoto();
const photoSvg = writeSvg(vectorize(photo));
const [rendering, original] = [render(photoSvg, photo.width), toPicture(photo)];
const photoRows = [
  ['picture', 'similarity', 'color error', 'segments', 'kB gz'],
  [
    'dunes',
    similarity(rendering, original).toFixed(3),
    colorError(rendering, original).toFixed(2),
    String(measurePaths(photoSvg).segments),
    gzipKilobytes(photoSvg).toFixed(1),
  ],
];

const sources = [...new Set(loadArt().map(({ source }) => source))];
const text = `# Quality, picture by picture

Written by \`tsx packages/vectorizer/bench/quality.ts --write\`: default options, no hint of what is shown, input 512 px
on its longer side.
Drawing and original are rendered at four times that size and compared.

- **input**: \`clean\` is antialiased on white; \`scan\` blurred by 0.8 px, with noise of six levels; \`jpeg\` saved at
  quality 60 with halved chroma.
- **edge px**: mean distance between edges, both ways, in pixels of the input. **F.25**: F-score of edges within a
  quarter of a pixel.
- **color error**: mean OKLab distance × 100.
- **segments ×**, **colors ×**: times those of the original. Line art is drawn with strokes, whose outlines take at
  least twice the segments of the strokes.
- **crossings**: of outlines with themselves. **specks**: outlines around less than 4 px².
- **center px**, **its segments ×**: mean distance between center lines, and segments, of line art drawn with
  \`draw: 'centerline'\`.

${formatTable(rows, 3)}

A picture like a photograph has no original: it is compared with itself, by structural similarity of luma.

${formatTable(photoRows)}

Pictures:

${sources.map((source) => `- ${source}`).join('\n')}

The photograph is drawn by \`bench/art.ts\`.
`;
console.log(text);
if (process.argv.includes('--write')) writeFileSync(new URL('quality.md', import.meta.url), text);
