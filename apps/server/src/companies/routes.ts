import { company, inkProfileCalls, laserCalls, ownFontCalls, toneCurveCalls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { readSettings, updateSettings } from './companies.ts';
import { addInkProfile, listInkProfiles, removeInkProfile } from './inkProfiles.ts';
import { addLaser, changeLaser, listLasers, readLibrary, removeLaser } from './lasers.ts';
import { addOwnFont, type FontNeeds, listOwnFonts, removeOwnFont, renameOwnFont } from './ownFonts.ts';
import {
  addProduct,
  deleteProduct,
  editProduct,
  listBaseProducts,
  listOwnProducts,
  submitToProfile,
  takeOffProfile,
} from './products.ts';
import { changeToneCurve, listToneCurves, makeTestCard, resetToneCurve } from './toneCurves.ts';

export function companyRoutes(app: FastifyInstance, context: Context, needs: FontNeeds): void {
  mount(app, context, company.settings, ({ actor }) => readSettings(context, actor));
  mount(app, context, company.updateSettings, ({ actor, body }) => updateSettings(context, actor, body));
  mount(app, context, company.products, ({ actor, query }) => listOwnProducts(context, actor, query));
  mount(app, context, company.baseProducts, ({ actor, query }) => listBaseProducts(context, actor, query));
  mount(app, context, company.addProduct, ({ actor, body, file, key, signal }) =>
    addProduct(context, actor, body, file, { key, signal }),
  );
  mount(app, context, company.editProduct, ({ actor, params, body, file, signal }) =>
    editProduct(context, actor, params.id, body, file, signal),
  );
  mount(app, context, company.deleteProduct, ({ actor, params }) => deleteProduct(context, actor, params.id));
  mount(app, context, company.submitToProfile, ({ actor, params }) => submitToProfile(context, actor, params.id));
  mount(app, context, company.takeOffProfile, ({ actor, params }) => takeOffProfile(context, actor, params.id));
  mount(app, context, inkProfileCalls.list, ({ actor }) => listInkProfiles(context, actor));
  mount(app, context, inkProfileCalls.add, ({ actor, file, key, signal }) =>
    addInkProfile(context, actor, file, { key, signal }),
  );
  mount(app, context, inkProfileCalls.remove, ({ actor, params }) => removeInkProfile(context, actor, params.id));
  mount(app, context, ownFontCalls.list, ({ actor }) => listOwnFonts(context, actor));
  mount(app, context, ownFontCalls.add, ({ actor, file, signal }) => addOwnFont(context, actor, file, signal));
  mount(app, context, ownFontCalls.rename, ({ actor, params, body }) =>
    renameOwnFont(context, actor, params.id, body.name),
  );
  mount(app, context, ownFontCalls.remove, ({ actor, params }) => removeOwnFont(context, actor, params.id, needs));
  mount(app, context, laserCalls.list, ({ actor }) => listLasers(context, actor));
  mount(app, context, laserCalls.add, ({ actor, body }) => addLaser(context, actor, body));
  mount(app, context, laserCalls.change, ({ actor, params, body }) => changeLaser(context, actor, params.id, body));
  mount(app, context, laserCalls.remove, ({ actor, params }) => removeLaser(context, actor, params.id));
  mount(app, context, laserCalls.readLibrary, ({ actor, file, signal }) => readLibrary(context, actor, file, signal));
  mount(app, context, toneCurveCalls.list, ({ actor }) => listToneCurves(context, actor));
  mount(app, context, toneCurveCalls.card, ({ actor, query, signal }) => makeTestCard(context, actor, query, signal));
  mount(app, context, toneCurveCalls.change, ({ actor, params, body }) =>
    changeToneCurve(context, actor, params.material, body.curve),
  );
  mount(app, context, toneCurveCalls.reset, ({ actor, params }) => resetToneCurve(context, actor, params.material));
}
