/** Starts a visit: gets the guest token, the shop and its products; of many, the first ones, and what finds others. */
import type { CallReply, OfferedProduct, widget } from '@markwright/contract/schemas';
import { findById } from '@markwright/contract/words';
import type { ProductFinder } from '@markwright/editor';
import { useCallback, useEffect, useState } from 'react';
import { nextOf, readList } from '../products/productLists.ts';
import { statusOf } from '../request.ts';
import type { WidgetApi } from './api.ts';

export interface Visit {
  /** Undefined until the shop has answered; null where there is none. */
  readonly shop: CallReply<typeof widget.start>['shop'] | undefined;
  readonly products: readonly OfferedProduct[] | undefined;
  /** Returns the latest of them, also before the page shows them. */
  readonly readProducts: () => readonly OfferedProduct[];
  /** Present where `products` are only a part of the catalogue. It adds the products that it finds to them. */
  readonly finder: ProductFinder | undefined;
  readonly failure: { readonly message: string /** There is no such shop. */; readonly isClosed: boolean } | undefined;
  retry(): void;
}

export function useVisit(api: WidgetApi, shop: string | undefined): Visit {
  const [visit, setVisit] = useState<Omit<Visit, 'retry'>>(beginning);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isCurrent = true;
    const list = readList<OfferedProduct>((after) => api.widget.products({ query: { shop, after } }), 1);
    Promise.all([api.widget.start({ body: { shop } }), list]).then(
      ([session, { products, isWhole }]) => {
        if (!isCurrent) return;
        api.setGuestToken(session.guestToken);
        let all = products;
        const readProducts = () => all;
        const add = (more: readonly OfferedProduct[]) => {
          const ids = new Set(all.map(({ id }) => id));
          all = [...all, ...more.filter(({ id }) => !ids.has(id))];
          if (isCurrent) setVisit((visit) => ({ ...visit, products: all }));
        };
        const finder = isWhole ? undefined : createFinder(api, shop, { readProducts, add });
        setVisit({ shop: session.shop, products, readProducts, finder, failure: undefined });
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

const beginning = {
  shop: undefined,
  products: undefined,
  readProducts: () => [],
  finder: undefined,
  failure: undefined,
};

interface VisitProducts {
  readonly readProducts: () => readonly OfferedProduct[];
  add(more: readonly OfferedProduct[]): void;
}

function createFinder(api: WidgetApi, shop: string | undefined, { readProducts, add }: VisitProducts): ProductFinder {
  const read = async (query: { search?: string; after?: string | undefined; ids?: string }) => {
    const page = await api.widget.products({ query: { shop, ...query } });
    add(page);
    return page;
  };
  return {
    async search(text, after) {
      const products = await read({ search: text.slice(0, MAX_SEARCH), after });
      return { products, next: nextOf(products) };
    },
    async find(ids) {
      const newIds = ids.filter((id) => !findById(readProducts(), id)).slice(0, MAX_IDS);
      if (newIds.length > 0) await read({ ids: newIds.join(',') });
      return readProducts();
    },
  };
}

const MAX_SEARCH = 100;
const MAX_IDS = 100;
