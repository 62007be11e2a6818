/** Every call by group, without its schemas. */
import { admin } from './admin.ts';
import type { Endpoints } from './endpoint.ts';
import { orderCalls } from './orders.ts';
import { siteCalls } from './siteCalls.ts';

export { type Access, type Endpoint, IDEMPOTENCY_HEADER, type Method, PROGRESS_STREAM_TYPE } from './endpoint.ts';

export const calls = { ...siteCalls, admin, orders: orderCalls } as const satisfies Record<string, Endpoints>;
