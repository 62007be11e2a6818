// Prints what each page loads before it can be used (gzipped JavaScript) and fails when a page is over its budget.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../apps/web/dist/', import.meta.url);
const entry = 'index.html';
const budgetsKb = {
  'src/pages/landing/LandingPage.tsx': 180,
  'src/pages/studio/StudioPage.tsx': 180,
  'src/pages/auth/AuthPage.tsx': 180,
  'src/pages/plans/PlansPage.tsx': 180,
  'src/pages/plans/SubscriptionSuccessPage.tsx': 180,
  'src/pages/plans/TestCheckoutPage.tsx': 180,
  'src/pages/embed/EmbedPage.tsx': 180,
  'src/pages/feedback/FeedbackPage.tsx': 180,
  'src/pages/profile/ProfilePage.tsx': 180,
  'src/pages/passwordReset/PasswordResetPage.tsx': 180,
  'src/pages/verifyEmail/VerifyEmailPage.tsx': 180,
  'src/pages/admin/AdminPage.tsx': 180,
};

const manifestFile = new URL('.vite/manifest.json', dist);
if (!existsSync(manifestFile)) {
  console.error('apps/web is not built: run `npm run build` first.');
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));

/** Returns the files of a chunk and of everything it imports statically. */
function collect(key, files = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const dependency of chunk.imports ?? []) collect(dependency, files);
  return files;
}

const sizeBytes = (file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
const kb = (bytes) => (bytes / 1000).toFixed(1).padStart(7);

let isOver = false;
console.log('initial JavaScript, kB gzipped');
for (const [page, budgetKb] of Object.entries(budgetsKb)) {
  const files = [...collect(page, collect(entry))].filter((file) => file.endsWith('.js'));
  const bytes = files.reduce((sum, file) => sum + sizeBytes(file), 0);
  const verdict = bytes > budgetKb * 1000 ? 'OVER' : 'ok';
  if (verdict === 'OVER') isOver = true;
  console.log(`${kb(bytes)} of ${budgetKb}  ${verdict.padEnd(4)}  ${page}  (${files.length} files)`);
}

// The widget before a product is chosen: the editor is loaded after that.
const widgetBudgetKb = 120;
const widgetFiles = [...collect('widget.html')].filter((file) => file.endsWith('.js'));
const widgetBytes = widgetFiles.reduce((sum, file) => sum + sizeBytes(file), 0);
const widgetVerdict = widgetBytes > widgetBudgetKb * 1000 ? 'OVER' : 'ok';
if (widgetVerdict === 'OVER') isOver = true;
console.log(
  `${kb(widgetBytes)} of ${widgetBudgetKb}  ${widgetVerdict.padEnd(4)}  /widget  (${widgetFiles.length} files)`,
);

// Loaded when a setting of a trace is first touched, beside the page.
const worker = readdirSync(new URL('assets/', dist)).find((file) => /^tracer\.worker-.*\.js$/.test(file));
if (!worker) throw new Error('The tracing worker is not in the build');
console.log(`${kb(sizeBytes(`assets/${worker}`))}              the tracing worker, not part of a page's first load`);

// The loader: all that a shop's page loads before a shopper opens the widget.
const loaderBudgetKb = 4;
const loaderBytes = sizeBytes('embed.js');
if (loaderBytes > loaderBudgetKb * 1000) isOver = true;
console.log(
  `${kb(loaderBytes)} of   ${loaderBudgetKb}  ${loaderBytes > loaderBudgetKb * 1000 ? 'OVER' : 'ok  '}  /embed.js, on a shop's page`,
);
process.exit(isOver ? 1 : 0);
