import { Button } from '@markwright/controls';
import { useQueryClient } from '@tanstack/react-query';
import { loadMe, type Session } from '../session.tsx';
import { readToken } from '../token.ts';

/** Returns true when this browser has a token but the session could not be read from the server. */
export const isUnreachable = (session: Session): boolean => session.status === 'guest' && readToken() !== null;

/** Replaces a page's content meanwhile, and offers to try again. */
export function Unreachable() {
  const client = useQueryClient();
  return (
    <main className="grid flex-1 place-items-center p-8">
      <div role="alert" className="crop-marks w-full max-w-md border border-line border-dashed px-6 py-14 text-center">
        <h1 className="text-xl">The server cannot be reached right now</h1>
        <p className="mt-2 text-graphite">You are still signed in here. Is this device online?</p>
        <Button variant="primary" size="lg" icon="refresh" className="mt-6" onClick={() => void loadMe(client)}>
          Retry
        </Button>
      </div>
    </main>
  );
}
