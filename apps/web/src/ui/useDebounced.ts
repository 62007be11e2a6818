import { useEffect, useState } from 'react';

const TYPING_MS = 250;

/** Debounces a value: returns it once it has not changed for a moment. */
export function useDebounced(value: string): string {
  const [debouncedValue, setDebouncedValue] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedValue(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debouncedValue;
}
