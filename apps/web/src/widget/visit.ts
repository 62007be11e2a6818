/** The beginning of a visit: who is here, which shop this is and what it offers. */
import { useCallback, useEffect, useState } from 'react';
import type { Offers, Session, WidgetServer } from './server.ts';
import { Refusal } from './server.ts';

export interface Visit {
  /** Undefined until the shop has answered; null where there is none. */
  readonly shop: Session['shop'] | undefined;
  readonly products: Offers | undefined;
  readonly failure: { readonly message: string /** There is no such shop. */; readonly isClosed: boolean } | undefined;
  retry(): void;
}

export function useVisit(server: WidgetServer, shop: string | undefined): Visit {
  const [visit, setVisit] = useState<Omit<Visit, 'retry'>>(beginning);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isCurrent = true;
    const query = shop === undefined ? '' : `?${new URLSearchParams({ shop })}`;
    Promise.all([
      server.ask<Session>('POST', '/api/widget/sessions', { body: { shop } }),
      server.ask<Offers>('GET', `/api/widget/products${query}`),
    ]).then(
      ([session, products]) => {
        if (!isCurrent) return;
        server.guestToken = session.guestToken;
        setVisit({ shop: session.shop, products, failure: undefined });
      },
      (error: unknown) => {
        if (!isCurrent) return;
        const { message, status } = error instanceof Refusal ? error : new Refusal('The products did not load.');
        setVisit({ ...beginning, failure: { message, isClosed: status === 404 || status === 400 } });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [server, shop, attempt]);

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
