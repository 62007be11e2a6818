import { designs } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { removeBackground } from './background.ts';
import { generatePreview, listDesigns, readDesign, uploadDesign } from './designs.ts';
import { engraveDesign } from './engravings.ts';
import { readBackground, restoreBackground } from './finishing.ts';

export function designRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, designs.upload, ({ actor, file, key, signal }) =>
    uploadDesign(context, actor, file, { key, signal }),
  );
  mount(app, context, designs.generatePreview, ({ actor, body, signal, report }) =>
    generatePreview(context, actor, body.designId, body.settings, { signal, report }),
  );
  mount(app, context, designs.engrave, ({ actor, body, signal, report }) =>
    engraveDesign(context, actor, body, { signal, report }),
  );
  mount(app, context, designs.removeBackground, ({ actor, body, signal, report }) =>
    removeBackground(context, actor, body.designId, body.options, { signal, report }),
  );
  mount(app, context, designs.restoreBackground, ({ actor, body }) => restoreBackground(context, actor, body.designId));
  mount(app, context, designs.readBackground, ({ actor, params }) => readBackground(context, actor, params.id));
  mount(app, context, designs.get, ({ actor, params }) => readDesign(context, actor, params.id));
  mount(app, context, designs.list, ({ actor, query }) => listDesigns(context, actor, query.before));
}
