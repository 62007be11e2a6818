/** The calls about orders. They are no part of the site's client: every page would load their table. */
import { orderCalls } from '@markwright/contract/paths/orders';
import { createCalls } from './api.ts';

export const ordersApi = createCalls('orders', orderCalls);
