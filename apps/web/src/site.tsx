/** All there is on a page, for a router that stands at its address. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Pages, type Router } from './router.tsx';
import { useTokenWatch } from './session.tsx';
import { PageError, PageLoading } from './ui/pageStates.tsx';
import { ToastsLater } from './ui/ToastsLater.tsx';

interface SiteProps {
  readonly router: Router;
  readonly queryClient: QueryClient;
}

export function Site({ router, queryClient }: SiteProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <TokenWatch />
        <Pages router={router} Loading={PageLoading} Failure={PageError}>
          <ToastsLater />
        </Pages>
      </QueryClientProvider>
    </StrictMode>
  );
}

function TokenWatch() {
  useTokenWatch();
  return null;
}
