/** The call that every page makes for its menu, apart from the other calls about orders. */
import type { Endpoint } from './endpoint.ts';

export const orderCount = {
  method: 'GET',
  path: '/api/orders/count',
  access: 'user',
  returns: ['hasOrders', 'waiting'],
} as const satisfies Endpoint;
