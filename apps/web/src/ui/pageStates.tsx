/** What stands in for a page that is on its way, or did not arrive. */
import { Link } from '@tanstack/react-router';

export function PageLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <span className="sr-only">Loading</span>
      <div className="ruler h-4 w-60 animate-pulse" aria-hidden="true" />
    </div>
  );
}

/** A page whose code could not be loaded or that failed while drawing. */
export function PageError() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="crop-marks max-w-md p-8 text-center">
        <h1 className="text-xl">This page did not load</h1>
        <p className="mt-2 text-graphite">
          Your connection may have dropped, or we have just put up a new version. What you arranged in the studio is
          kept on this device.
        </p>
        <button
          type="button"
          onClick={() => window.location.reload()}
          className="mt-6 h-10 rounded-control bg-accent px-4 font-medium text-on-accent"
        >
          Load it again
        </button>
        <Link to="/" className="ml-3 text-graphite underline underline-offset-4 hover:text-ink">
          Home
        </Link>
      </div>
    </main>
  );
}
