import { exportCalls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { makeCustomSvg, makeMockup } from './exports.ts';
import { recordExport } from './records.ts';

export function exportRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, exportCalls.mockup, ({ actor, body, signal }) =>
    makeMockup(context, actor, body.composition, signal),
  );
  mount(app, context, exportCalls.customSvg, ({ actor, body, signal }) =>
    makeCustomSvg(context, actor, body.composition, signal),
  );
  mount(app, context, exportCalls.recordVector, ({ actor, body }) =>
    recordExport(context, actor, { kind: 'vector', ...body }),
  );
  mount(app, context, exportCalls.recordMockup, ({ actor, body }) =>
    recordExport(context, actor, { kind: 'mockup', ...body }),
  );
}
