/** Starts a visit: gets the guest token, the shop and its products. */
import type { CallReply, OfferedProduct, widget } from '@markwright/contract/schemas';
import { useCallback, useEffect, useState } from 'react';
import { statusOf } from '../request.ts';
import type { WidgetApi } from './api.ts';

export interface Visit {
  /** Undefined until the shop has answered; null where there is none. */
  readonly shop: CallReply<typeof widget.start>['shop'] | undefined;
  readonly products: readonly OfferedProduct[] | undefined;
  readonly failure: { readonly message: string /** There is no such shop. */; readonly isClosed: boolean } | undefined;
  retry(): void;
}

export function useVisit(api: WidgetApi, shop: string | undefined): Visit {
  const [visit, setVisit] = useState<Omit<Visit, 'retry'>>(beginning);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isCurrent = true;
    Promise.all([api.widget.start({ body: { shop } }), api.widget.products({ query: { shop } })]).then(
      ([session, products]) => {
        if (!isCurrent) return;
        api.setGuestToken(session.guestToken);
        setVisit({ shop: session.shop, products, failure: undefined });
      },
      (error: unknown) => {
        if (!isCurrent) return;
        const status = statusOf(error instanceof Error ? error.cause : undefined);
        const message = error instanceof Error ? error.message : 'The products did not load.';
        setVisit({ ...beginning, failure: { message, isClosed: status === 404 || status === 400 } });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [api, shop, attempt]);

  const retry = useCallback(() => {
    setVisit(beginning);
    setAttempt((count) => count + 1);
  }, []);
  useEffect(() => {
    if (!visit.failure || visit.failure.isClosed) return;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [visit.failure, retry]);
  return { ...visit, retry };
}

const beginning = { shop: undefined, products: undefined, failure: undefined };
