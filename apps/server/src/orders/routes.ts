import { orderCalls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { drawOrderPieces, makeOrderFile } from './orderFiles.ts';
import { countOrders, listOrders, readOrder, takeStep } from './orders.ts';
import { placeOrder } from './placeOrder.ts';
import { answerProof, drawProofPieces, readProof } from './proof.ts';
import { listGroups, makeTogether } from './together.ts';
import { listDeliveries, sendAgain } from './webhooks.ts';

export function orderRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, orderCalls.place, ({ actor, body, signal }) => placeOrder(context, actor, body, signal));
  mount(app, context, orderCalls.proof, ({ body }) => readProof(context, body.token));
  mount(app, context, orderCalls.answerProof, ({ body }) => answerProof(context, body));
  mount(app, context, orderCalls.proofPieces, ({ actor, body, signal, report }) => {
    report('drawing');
    return drawProofPieces(context, actor, body.token, signal);
  });
  mount(app, context, orderCalls.list, ({ actor, query }) => listOrders(context, actor, query));
  mount(app, context, orderCalls.count, ({ actor }) => countOrders(context, actor));
  mount(app, context, orderCalls.get, ({ actor, params }) => readOrder(context, actor, params.id));
  mount(app, context, orderCalls.groups, ({ actor }) => listGroups(context, actor));
  mount(app, context, orderCalls.makeTogether, ({ actor, body }) => makeTogether(context, actor, body.orders));
  mount(app, context, orderCalls.pieces, ({ actor, params, signal, report }) => {
    report('drawing');
    return drawOrderPieces(context, actor, params.id, signal);
  });
  mount(app, context, orderCalls.step, ({ actor, params, body }) => takeStep(context, actor, params.id, body));
  mount(app, context, orderCalls.file, ({ actor, params, body, signal }) =>
    makeOrderFile(context, actor, params.id, body.format, signal),
  );
  mount(app, context, orderCalls.deliveries, ({ actor }) => listDeliveries(context, actor));
  mount(app, context, orderCalls.sendAgain, ({ actor, params }) => sendAgain(context, actor, params.id));
}
