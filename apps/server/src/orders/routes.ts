import { orderCalls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { countOrders, listOrders, makeOrderFile, placeOrder, readOrder, takeStep } from './orders.ts';
import { answerProof, readProof } from './proof.ts';
import { listDeliveries, sendAgain } from './webhooks.ts';

export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, orderCalls.place, ({ actor, body }) => placeOrder(deps, actor, body));
  mount(app, deps, orderCalls.proof, ({ body }) => readProof(deps, body.token));
  mount(app, deps, orderCalls.answerProof, ({ body }) => answerProof(deps, body));
  mount(app, deps, orderCalls.list, ({ actor, query }) => listOrders(deps, actor, query));
  mount(app, deps, orderCalls.count, ({ actor }) => countOrders(deps, actor));
  mount(app, deps, orderCalls.get, ({ actor, params }) => readOrder(deps, actor, params.id));
  mount(app, deps, orderCalls.step, ({ actor, params, body }) => takeStep(deps, actor, params.id, body));
  mount(app, deps, orderCalls.file, ({ actor, params, signal }) => makeOrderFile(deps, actor, params.id, signal));
  mount(app, deps, orderCalls.deliveries, ({ actor }) => listDeliveries(deps, actor));
  mount(app, deps, orderCalls.sendAgain, ({ actor, params }) => sendAgain(deps, actor, params.id));
}
