import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createQueryClient } from './api.ts';
import { loadFirst } from './router.tsx';
import { createAppRouter } from './routes.tsx';
import { Site } from './site.tsx';
import './styles.css';

const container = document.getElementById('root')!;
/** The landing page was rendered at build. */
const isPrerendered = container.hasChildNodes();
const router = createAppRouter(isPrerendered ? { prerenderedPath: '/' } : {});
const site = <Site router={router} queryClient={createQueryClient()} />;

if (isPrerendered) {
  // Once the code of the page is here too, React takes over what is there. As a transition, hydration pauses while
  // somebody scrolls.
  void router.load('/').then(() => startTransition(() => void hydrateRoot(container, site)));
} else {
  void loadFirst(router).then(() => createRoot(container).render(site));
}
