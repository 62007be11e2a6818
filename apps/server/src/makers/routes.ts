import { makers } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { addPhoto, blur, deletePhoto, findMakers, readOwnMaker, saveMaker, showMaker, unlistMaker } from './makers.ts';
import { stampFor, writeToMaker } from './messages.ts';
import { hideMaker, listAllMakers, unhideMaker } from './oversight.ts';
import { nearestPlace, searchPlaces } from './places.ts';

export function makerRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, makers.places, ({ query }) => searchPlaces(query.q));
  mount(app, deps, makers.nearestPlace, ({ query }) => {
    const { lat, lon } = blur(query);
    return nearestPlace(lat, lon);
  });
  mount(app, deps, makers.find, ({ query }) => findMakers(deps, query));
  mount(app, deps, makers.show, async ({ params, query, reply }) => ({
    ...(await showMaker(deps, params.id, query)),
    stamp: reply.signCookie(stampFor(deps, params.id)),
  }));
  mount(app, deps, makers.write, ({ actor, params, body, request }) => {
    const { valid, value } = request.unsignCookie(body.stamp);
    return writeToMaker(deps, actor, params.id, { ...body, stamp: valid ? (value ?? undefined) : undefined });
  });

  mount(app, deps, makers.own, ({ actor }) => readOwnMaker(deps, actor));
  mount(app, deps, makers.save, ({ actor, body }) => saveMaker(deps, actor, body));
  mount(app, deps, makers.unlist, ({ actor }) => unlistMaker(deps, actor));
  mount(app, deps, makers.addPhoto, ({ actor, file, signal }) => addPhoto(deps, actor, file, signal));
  mount(app, deps, makers.deletePhoto, ({ actor, params }) => deletePhoto(deps, actor, params.id));

  mount(app, deps, makers.adminList, ({ query }) => listAllMakers(deps, query.before));
  mount(app, deps, makers.hide, ({ actor, params, body }) => hideMaker(deps, actor, params.id, body.reason));
  mount(app, deps, makers.unhide, ({ actor, params }) => unhideMaker(deps, actor, params.id));
}
