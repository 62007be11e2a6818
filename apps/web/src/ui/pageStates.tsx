/** Placeholders for a page that is loading, and for one that did not load. */
import { Button } from '@markwright/controls';
import { HomeLink } from './links.tsx';
import { SkeletonBars } from './SkeletonBars.tsx';

export function PageLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <span className="sr-only">Loading</span>
      <div className="ruler h-4 w-60 animate-pulse" aria-hidden="true" />
    </div>
  );
}

/** Replaces the content of a tab whose code is loading. */
export const TabLoading = () => (
  <SkeletonBars
    className="grid gap-3 rounded-card border border-line bg-paper p-5"
    bars={['w-2/3', 'w-full', 'w-1/2', 'w-5/6'].map((width) => `h-5 rounded-control ${width}`)}
  />
);

/** Replaces a page whose code could not be loaded or that threw while rendering. */
export function PageError() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="crop-marks max-w-md p-8 text-center">
        <h1 className="text-xl">This page did not load</h1>
        <p className="mt-2 text-graphite">
          Your connection may have dropped, or we have just put up a new version. Your work in the studio is kept on
          this device.
        </p>
        <div className="mt-6 flex justify-center gap-2">
          <Button variant="primary" size="lg" onClick={() => window.location.reload()}>
            Load it again
          </Button>
          <HomeLink />
        </div>
      </div>
    </main>
  );
}
