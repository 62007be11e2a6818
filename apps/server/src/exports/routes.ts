import { batchCalls, designs, exportCalls, fileCalls, VectorizeSettings } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { vectorizePreview } from '../designs/designs.ts';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { createBatch, findBatch, listBatches, removeBatch } from './batches.ts';
import { batchRoutes } from './batchPackage.ts';
import { makeProof } from './batchProof.ts';
import { makeCustomSvg, makeMockup, makeProduction } from './exports.ts';
import { makeMachineFile } from './machineFile.ts';
import { listMadeFiles, removeMadeFile } from './madeFiles.ts';
import { recordExport } from './records.ts';

export function exportRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, designs.vectorize, async ({ actor, body, signal, report }) => {
    // `currentPreviewUrl` is never read: the server knows its own files and fetches no URL of a client.
    const { designId, settings, composition } = body;
    if (settings.mode !== 'vectorize') {
      return vectorizePreview(context, actor, designId, VectorizeSettings.parse(settings), { signal, report });
    }
    const input = { designId, settings, composition };
    const { url, ...download } = await makeProduction(context, actor, input, { signal, report });
    return { vectorizedSvgUrl: url, ...download };
  });
  mount(app, context, exportCalls.mockup, ({ actor, body, signal, report }) =>
    makeMockup(context, actor, body, { signal, report }),
  );
  mount(app, context, exportCalls.customSvg, ({ actor, body, signal, report }) =>
    makeCustomSvg(context, actor, body.composition, { signal, report }),
  );
  mount(app, context, exportCalls.file, ({ actor, body, signal, report }) =>
    makeMachineFile(context, actor, body, { signal, report }),
  );
  mount(app, context, fileCalls.list, ({ actor, query }) => listMadeFiles(context, actor, query.before));
  mount(app, context, fileCalls.remove, ({ actor, params }) => removeMadeFile(context, actor, params.id));
  mount(app, context, batchCalls.create, ({ actor, body, signal, report }) => {
    report('checking');
    return createBatch(context, actor, body, signal);
  });
  mount(app, context, batchCalls.proof, ({ actor, body, signal, report }) => {
    report('checking');
    return makeProof(context, actor, body, { signal, report });
  });
  mount(app, context, batchCalls.list, ({ actor }) => listBatches(context, actor));
  mount(app, context, batchCalls.find, ({ actor, params }) => findBatch(context, actor, params.id));
  mount(app, context, batchCalls.remove, ({ actor, params }) => removeBatch(context, actor, params.id));
  batchRoutes(app, context);
  mount(app, context, exportCalls.recordVector, ({ actor, body }) =>
    recordExport(context, actor, { kind: 'vector', ...body }),
  );
  mount(app, context, exportCalls.recordMockup, ({ actor, body }) =>
    recordExport(context, actor, { kind: 'mockup', ...body }),
  );
}
