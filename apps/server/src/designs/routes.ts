import { designs } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { makeProduction } from '../exports/exports.ts';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { removeBackground } from './background.ts';
import { generatePreview, listDesigns, readDesign, uploadDesign, vectorizePreview } from './designs.ts';
import { readBackground, restoreBackground } from './finishing.ts';

export function designRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, designs.upload, ({ actor, file, signal }) => uploadDesign(deps, actor, file, signal));
  mount(app, deps, designs.vectorize, async ({ actor, body, signal }) => {
    // `currentPreviewUrl` is never read: the server knows its own files and fetches nothing a client names.
    const { designId, settings, composition } = body;
    if (settings.mode === 'preview') return vectorizePreview(deps, actor, designId, settings, signal);
    const { url, ...made } = await makeProduction(deps, actor, { designId, settings, composition }, signal);
    return { vectorizedSvgUrl: url, ...made };
  });
  mount(app, deps, designs.generatePreview, ({ actor, body, signal }) =>
    generatePreview(deps, actor, body.designId, body.settings, signal),
  );
  mount(app, deps, designs.removeBackground, ({ actor, body, signal, report }) =>
    removeBackground(deps, actor, body.designId, body.options, { signal, report }),
  );
  mount(app, deps, designs.restoreBackground, ({ actor, body }) => restoreBackground(deps, actor, body.designId));
  mount(app, deps, designs.readBackground, ({ actor, params }) => readBackground(deps, actor, params.id));
  mount(app, deps, designs.get, ({ actor, params }) => readDesign(deps, actor, params.id));
  mount(app, deps, designs.list, ({ actor }) => listDesigns(deps, actor));
}
