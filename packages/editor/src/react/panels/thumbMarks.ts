/** The present design on the thumbnails of products: drawn one by one, in idle time, where one is in sight. */
import type { Product } from '@markwright/contract/schemas';
import { createContext, type RefObject, useContext, useEffect, useState } from 'react';

/** Draws the design on a product: SVG text, or undefined where nothing is to be seen. */
export type DrawMarks = (product: Product) => Promise<string | undefined>;

/** Absent where thumbnails are bare. */
export const MarksContext = createContext<DrawMarks | undefined>(undefined);

/**
 * Returns the address of the marks on a product while its thumbnail is in sight. The drawing is given up when the
 * design changes or the thumbnail goes.
 */
export function useThumbMarks(product: Product, thumb: RefObject<HTMLElement | null>): string | undefined {
  const draw = useContext(MarksContext);
  const [isInSight, setIsInSight] = useState(false);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!draw || !thumb.current) return;
    const observer = new IntersectionObserver((entries) => setIsInSight(entries.at(-1)!.isIntersecting));
    observer.observe(thumb.current);
    return () => observer.disconnect();
  }, [draw, thumb]);
  useEffect(() => {
    if (!draw || !isInSight) return;
    let ownAddress: string | undefined;
    let isCurrent = true;
    const stop = whenIdle(async () => {
      const svg = await draw(product).catch(() => undefined);
      if (!isCurrent || !svg) return;
      ownAddress = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      setAddress(ownAddress);
    });
    return () => {
      isCurrent = false;
      stop();
      setAddress(undefined);
      if (ownAddress) URL.revokeObjectURL(ownAddress);
    };
  }, [draw, isInSight, product]);
  return address;
}

/** Calls back when the page has nothing else to do; returns what stops it. Safari has no such call: a pause does. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(act);
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(act, 200);
  return () => clearTimeout(timer);
}
