import { useEffect, useState } from 'react';
import { usePorts } from './EditorProvider.tsx';

/** Returns a failure while it holds: one that came without a connection is over when the connection is back. */
export function useFailure(failure: string | undefined): string | undefined {
  const { offline } = usePorts();
  const [pastFailure, setPastFailure] = useState<string>();
  useEffect(() => {
    setPastFailure(undefined);
    if (failure === undefined || offline?.() === undefined) return;
    const onConnection = () => setPastFailure(failure);
    addEventListener('online', onConnection);
    return () => removeEventListener('online', onConnection);
  }, [failure, offline]);
  return failure !== undefined && failure === pastFailure ? 'The connection is back. Please try again.' : failure;
}
