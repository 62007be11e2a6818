import { company } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { readSettings, updateSettings } from './companies.ts';
import {
  addProduct,
  deleteProduct,
  editProduct,
  listOwnProducts,
  submitToProfile,
  takeOffProfile,
} from './products.ts';

export function companyRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, company.settings, ({ actor }) => readSettings(deps, actor));
  mount(app, deps, company.updateSettings, ({ actor, body }) => updateSettings(deps, actor, body));
  mount(app, deps, company.products, ({ actor }) => listOwnProducts(deps, actor));
  mount(app, deps, company.addProduct, ({ actor, body, file, signal }) => addProduct(deps, actor, body, file, signal));
  mount(app, deps, company.editProduct, ({ actor, params, body, file, signal }) =>
    editProduct(deps, actor, params.id, body, file, signal),
  );
  mount(app, deps, company.deleteProduct, ({ actor, params }) => deleteProduct(deps, actor, params.id));
  mount(app, deps, company.submitToProfile, ({ actor, params }) => submitToProfile(deps, actor, params.id));
  mount(app, deps, company.takeOffProfile, ({ actor, params }) => takeOffProfile(deps, actor, params.id));
}
