import { exportCalls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { makeCustomSvg, makeMockup } from './exports.ts';
import { recordExport } from './records.ts';

export function exportRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, exportCalls.mockup, ({ actor, body, signal }) => makeMockup(deps, actor, body.composition, signal));
  mount(app, deps, exportCalls.customSvg, ({ actor, body, signal }) =>
    makeCustomSvg(deps, actor, body.composition, signal),
  );
  mount(app, deps, exportCalls.recordVector, ({ actor, body }) =>
    recordExport(deps, actor, { kind: 'vector', ...body }),
  );
  mount(app, deps, exportCalls.recordMockup, ({ actor, body }) =>
    recordExport(deps, actor, { kind: 'mockup', ...body }),
  );
}
