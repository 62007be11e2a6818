import { useEffect, useState } from 'react';

/** Returns a value once it has rested, or at once when `restMs` is 0. */
export function useRested<T extends number | string>(value: T, restMs: number): T {
  const [restValue, setRestValue] = useState(value);
  useEffect(() => {
    if (restMs === 0) return;
    const timer = setTimeout(() => setRestValue(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  if (restMs === 0 && restValue !== value) setRestValue(value);
  return restMs === 0 ? value : restValue;
}
