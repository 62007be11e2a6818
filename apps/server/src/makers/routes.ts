import { makers } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { addPhoto, blur, deletePhoto, findMakers, readOwnMaker, saveMaker, showMaker, unlistMaker } from './makers.ts';
import { stampFor, writeToMaker } from './messages.ts';
import { hideMaker, listAllMakers, unhideMaker } from './oversight.ts';
import { nearestPlace, searchPlaces } from './places.ts';

export function makerRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, makers.places, ({ query }) => searchPlaces(query.q));
  mount(app, context, makers.nearestPlace, ({ query }) => {
    const { lat, lon } = blur(query);
    return nearestPlace(lat, lon);
  });
  mount(app, context, makers.find, ({ query }) => findMakers(context, query));
  mount(app, context, makers.show, async ({ params, query, reply }) => ({
    ...(await showMaker(context, params.id, query)),
    stamp: reply.signCookie(stampFor(context, params.id)),
  }));
  mount(app, context, makers.write, ({ actor, params, body, request }) => {
    const { valid, value } = request.unsignCookie(body.stamp);
    return writeToMaker(context, actor, params.id, { ...body, stamp: valid ? (value ?? undefined) : undefined });
  });

  mount(app, context, makers.own, ({ actor }) => readOwnMaker(context, actor));
  mount(app, context, makers.save, ({ actor, body }) => saveMaker(context, actor, body));
  mount(app, context, makers.unlist, ({ actor }) => unlistMaker(context, actor));
  mount(app, context, makers.addPhoto, ({ actor, file, key, signal }) =>
    addPhoto(context, actor, file, { key, signal }),
  );
  mount(app, context, makers.deletePhoto, ({ actor, params }) => deletePhoto(context, actor, params.id));

  mount(app, context, makers.adminList, ({ query }) => listAllMakers(context, query.before));
  mount(app, context, makers.hide, ({ actor, params, body }) => hideMaker(context, actor, params.id, body.reason));
  mount(app, context, makers.unhide, ({ actor, params }) => unhideMaker(context, actor, params.id));
}
