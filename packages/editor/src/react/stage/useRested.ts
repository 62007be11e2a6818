import { useEffect, useState } from 'react';

/**
 * Returns a value once it has rested, or at once when `restMs` is 0 or the last one is not near enough to stand for it.
 * The rest begins with the next frame, as wheel and fingers are read once in a frame: where a frame takes longer than
 * the rest, it would end between two steps.
 */
export function useRested<T extends number | string>(
  value: T,
  restMs: number,
  isNear: (restValue: T) => boolean = () => true,
): T {
  const [restValue, setRestValue] = useState(value);
  useEffect(() => {
    if (restMs === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setRestValue(value), restMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value, restMs]);
  const isAtOnce = restMs === 0 || !isNear(restValue);
  if (isAtOnce && restValue !== value) setRestValue(value);
  return isAtOnce ? value : restValue;
}
