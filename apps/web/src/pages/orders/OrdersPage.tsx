/** The orders of the reader's shop, and those that the reader makes for others. The address names the open one. */
import { calls } from '@markwright/contract/paths';
import type { OrderSummary } from '@markwright/contract/schemas';
import { ORDER_STATUSES, type OrderRole, type OrderStatus } from '@markwright/contract/words';
import { useState } from 'react';
import { Link, useSearchParams } from '../../navigation.tsx';
import { statusWords, toneOf, totalWords } from '../../orders/words.ts';
import { ordersApi } from '../../ordersApi.ts';
import { useSession } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { SelectField } from '../../ui/SelectField.tsx';
import { Badge, Skeleton } from '../../ui/sections.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { Order } from './Order.tsx';
import { Together } from './Together.tsx';

export function OrdersPage() {
  usePageHead({ title: 'Orders | Markwright' });
  const session = useSession();
  const orderId = useSearchParams().order;
  return (
    <Page session={session}>
      {isUnreachable(session) ? (
        <Unreachable />
      ) : session.status === 'guest' ? (
        <AccessDenied title="Log in to see your orders" text="They are for shops and makers with an account.">
          <ButtonLink to="/auth" search={{ next: '/orders' }}>
            Log in
          </ButtonLink>
        </AccessDenied>
      ) : (
        <main className="mx-auto w-full max-w-[1040px] flex-1 px-5 py-10 lg:px-10 lg:py-14">
          {!session.user ? (
            <>
              <h1 className="text-2xl">Orders</h1>
              <div className="mt-6 rounded-card border border-line bg-paper">
                <Skeleton lines={5} />
              </div>
            </>
          ) : typeof orderId === 'string' && orderId !== '' ? (
            <Order key={orderId} id={orderId} />
          ) : (
            <List key={session.user.id} />
          )}
        </main>
      )}
    </Page>
  );
}

type OrderFilter = { readonly status: OrderStatus | 'all'; readonly role: OrderRole | 'all' };

const statuses = [
  { value: 'all', label: 'All' },
  ...ORDER_STATUSES.map((value) => ({ value, label: statusWords[value] })),
] as const;
const roles = [
  { value: 'all', label: 'Any role' },
  { value: 'shop', label: 'From my shop' },
  { value: 'maker', label: 'For me to make' },
] as const;

function List() {
  const [filter, setFilter] = useState<OrderFilter>({ status: 'all', role: 'all' });
  const query = usePages([calls.orders.list.path, filter.status, filter.role], (cursor, signal) =>
    ordersApi.list(
      {
        query: {
          ...cursor,
          ...(filter.status !== 'all' && { status: filter.status }),
          ...(filter.role !== 'all' && { role: filter.role }),
        },
      },
      { signal },
    ),
  );
  const orders = query.data?.pages.flatMap((page) => page.orders) ?? [];
  const isFiltered = filter.status !== 'all' || filter.role !== 'all';
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="text-2xl">Orders</h1>
        <div className="flex flex-wrap gap-3">
          <SelectField
            label="Status"
            value={filter.status}
            options={statuses}
            onChange={(status) => setFilter({ ...filter, status })}
            className="w-40"
          />
          <SelectField
            label="My role"
            value={filter.role}
            options={roles}
            onChange={(role) => setFilter({ ...filter, role })}
            className="w-40"
          />
        </div>
      </div>
      <Together />
      <div className="mt-6">
        <Listing
          query={query}
          failure="Your orders could not be read."
          empty={
            isFiltered ? (
              'No order matches. Choose another status or role.'
            ) : (
              <EmptyState
                title="No orders yet"
                action={<TextLink to="/profile/shop">Take orders in your shop</TextLink>}
              >
                They come from the widget in your shop’s page, and from shops that send you orders to make.
              </EmptyState>
            )
          }
          count={orders.length}
          noun={['order', 'orders']}
        >
          <ul className="divide-y divide-line">
            {orders.map((order) => (
              <Line key={order.id} {...order} />
            ))}
          </ul>
        </Listing>
      </div>
    </>
  );
}

function Line(order: OrderSummary) {
  const { id, number, role, shopName, makerName, customerName, productName, quantity, status, isWaiting } = order;
  const others =
    role === 'maker'
      ? [`For ${shopName || 'a shop'}`, customerName]
      : [customerName, makerName ? `made by ${makerName}` : 'made by you'];
  return (
    <li>
      <Link
        to="/orders"
        search={{ order: id }}
        className="grid grid-cols-[56px_minmax(0,1fr)] items-center gap-x-4 gap-y-2 px-4 py-3 hover:bg-ink/3 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent sm:grid-cols-[56px_minmax(0,1fr)_auto_7rem] sm:px-5"
      >
        <img
          src={order.pictureUrl}
          alt=""
          loading="lazy"
          className="size-14 rounded-control border border-line bg-white object-contain"
        />
        <span className="min-w-0">
          <span className="font-medium [overflow-wrap:anywhere]">
            {quantity} × {productName}
          </span>
          <span className="block text-graphite text-sm [overflow-wrap:anywhere]">
            <span className="measure">{number}</span> · {others.filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className="flex items-center gap-2 max-sm:col-start-2">
          {isWaiting && <span className="font-medium text-accent text-sm whitespace-nowrap">Your turn</span>}
          <Badge tone={toneOf(status)}>{statusWords[status]}</Badge>
        </span>
        <span className="text-graphite text-sm max-sm:col-start-2 sm:text-right">
          <span className="measure text-ink sm:block">{totalWords(order)}</span>
          <span className="sm:hidden"> · </span>
          <Ago time={order.createdAt} />
        </span>
      </Link>
    </li>
  );
}
