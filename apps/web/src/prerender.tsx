/** Runs while the pages are built: the landing page as HTML, so that its words are there before any script is. */
import { createMemoryHistory } from '@tanstack/history';
import { renderToString } from 'react-dom/server';
import { createQueryClient } from './api.ts';
import { landingHead } from './pages/landing/head.ts';
import { createAppRouter } from './routes.tsx';
import { Site } from './site.tsx';
import { headTags } from './ui/pageHead.ts';

/** Stands for the site's origin, which only the server knows. */
const ORIGIN = '%ORIGIN%';

export async function prerenderLanding(): Promise<{ title: string; meta: string; body: string }> {
  const router = createAppRouter({ history: createMemoryHistory({ initialEntries: ['/'] }) });
  await router.load('/');
  const meta = headTags(landingHead, { origin: ORIGIN, path: '/' }).map(
    ({ key, name, content }) => `<meta ${key}="${name}" content="${escapeHtml(content)}" />`,
  );
  return {
    title: escapeHtml(landingHead.title),
    meta: meta.join('\n    '),
    body: renderToString(<Site router={router} queryClient={createQueryClient()} />),
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
