// Fails when docs/map.md or the README names a path that does not exist.
import { existsSync, readFileSync } from 'node:fs';

let missing = 0;
for (const document of ['docs/map.md', 'README.md']) {
  const text = readFileSync(document, 'utf8');
  const paths = [...text.matchAll(/`((?:packages|apps|docs|e2e|scripts|bench|\.ci)\/[^`\s]*)`/g)].map(
    (match) => match[1],
  );
  const pictures = [...text.matchAll(/\]\((docs\/[^)\s]+)\)/g)].map((match) => match[1]);
  for (const path of new Set([...paths, ...pictures])) {
    if (existsSync(path)) continue;
    console.error(`${document}: there is no ${path}`);
    missing++;
  }
  if (document === 'docs/map.md' && paths.length === 0) {
    console.error('docs/map.md names no path at all');
    missing++;
  }
}
process.exit(missing > 0 ? 1 : 0);
