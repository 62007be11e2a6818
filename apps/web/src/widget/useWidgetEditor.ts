/** Loads the editor with the first product that is chosen. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { WidgetAddress } from './address.ts';
import type { WidgetApi } from './api.ts';
import type { Visit } from './visit.ts';
import type { FirstChoice, WidgetEditor } from './widgetEditor.ts';

const loadParts = () => import('./editorParts.ts');
type Parts = Awaited<ReturnType<typeof loadParts>>;

/** The editor's code is prefetched this long after the products arrived. */
const PREFETCH_MS = 1200;

interface Loading {
  readonly widgetEditor?: WidgetEditor;
  readonly parts?: Parts;
  readonly isOpening: boolean;
  /** Tries again; set when the code did not load. */
  readonly retry?: () => void;
}

export function useWidgetEditor(address: WidgetAddress, api: WidgetApi, { products, readProducts, finder }: Visit) {
  const hasProducts = products !== undefined;
  const [loading, setLoading] = useState<Loading>({ isOpening: false });
  const editorPromise = useRef<Promise<WidgetEditor>>(undefined);

  const open = useCallback(
    (initial: FirstChoice): Promise<WidgetEditor> => {
      if (editorPromise.current) return editorPromise.current;
      if (!hasProducts) return Promise.reject(new Error('The products are still on their way. Please try again.'));
      setLoading({ isOpening: true });
      const promise = loadParts().then((parts) => {
        const widgetEditor = parts.createWidgetEditor(
          { api, shop: address.shop, products: readProducts, finder },
          initial,
        );
        setLoading({ widgetEditor, parts, isOpening: false });
        return widgetEditor;
      });
      editorPromise.current = promise;
      promise.catch(() => {
        editorPromise.current = undefined;
        setLoading({ isOpening: false, retry: () => reopenPage(initial.productId) });
      });
      return promise;
    },
    [address, api, hasProducts, readProducts, finder],
  );
  useEffect(() => {
    if (!hasProducts) return;
    const timer = setTimeout(() => void loadParts().catch(() => undefined), PREFETCH_MS);
    return () => clearTimeout(timer);
  }, [hasProducts]);
  return { ...loading, open };
}

/**
 * Reloads the page, because a browser does not fetch code again that it could not load. Does so only when the server
 * can be reached, so that no frame ends on the browser's own error page.
 */
function reopenPage(productId: string | undefined): void {
  const address = new URL(location.href);
  if (productId !== undefined) {
    address.searchParams.delete('design');
    address.searchParams.set('product', productId);
  }
  fetch(address, { method: 'HEAD' }).then(
    () => location.replace(address),
    () => undefined,
  );
}
