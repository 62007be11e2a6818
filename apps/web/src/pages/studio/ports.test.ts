import { PROGRESS_STREAM_TYPE } from '@markwright/contract/paths';
import type { Design } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { statusOf } from '@markwright/editor';
import { COMPOSITION_VERSION, emptyComposition } from '@markwright/scene';
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest';
import { fakeStorage } from '../../../test/fakeStorage.ts';
import { createQueryClient } from '../../api.ts';
import { createPorts, type Host } from './ports.ts';

const design: Design = {
  id: 'd1',
  filename: 'logo.png',
  colorMode: 'black',
  width: 40,
  height: 30,
  originalFileUrl: '/files/original',
  backgroundRemovedUrl: null,
  vectorizedSvgUrl: '/files/trace',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const trace =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30"><path d="M0 0H40V30Z"/></svg>';

let answers: Record<string, () => Response>;
let requests: { url: string; body: unknown }[];
let host: Host & { onDesignGone: Mock<(designId: string) => void>; onExported: Mock<() => void> };
const { signal } = new AbortController();
const stageOptions = { signal, onStage: () => {} };

beforeEach(() => {
  requests = [];
  answers = {
    '/api/designs/d1': () => Response.json(design),
    '/files/trace': () => new Response(trace),
  };
  host = {
    queryClient: createQueryClient(),
    account: () => ({
      session: { status: 'guest' } as ReturnType<Host['account']>['session'],
      allowance: { stats: undefined, guest: { mockupsGenerated: 1, mockupsLimit: 4 } },
    }),
    requireAccount: () => undefined,
    onDesignGone: vi.fn<(designId: string) => void>(),
    onExported: vi.fn<() => void>(),
    onBlankSent: () => undefined,
    saveElements: () => undefined,
    askOptIn: async () => false,
  };
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    requests.push({ url, body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body });
    return (answers[url] ?? (() => Response.json({ message: 'There is nothing at this address.' }, { status: 404 })))();
  });
});
afterEach(() => vi.unstubAllGlobals());

it('loads a design of an earlier visit with its trace', async () => {
  const result = await createPorts(host).loadDesign('d1', signal);
  expect(result?.design).toEqual(design);
  expect(result?.artwork).toMatchObject({ width: 40, height: 30, shapes: [{ fill: '#000000' }] });
});

it('reports a design that is gone', async () => {
  delete answers['/api/designs/d1'];
  expect(await createPorts(host).loadDesign('d1', signal)).toBeUndefined();
  expect(host.onDesignGone).toHaveBeenCalledOnce();
  expect(host.onDesignGone).toHaveBeenCalledWith('d1');
});

it('does not call a design gone because the server cannot be reached', async () => {
  answers['/api/designs/d1'] = () => Response.json({ message: 'Busy.' }, { status: 503 });
  await expect(createPorts(host).loadDesign('d1', signal)).rejects.toThrow('Busy.');
  expect(host.onDesignGone).not.toHaveBeenCalled();
});

it('says without a connection that there is none, in every call', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const ports = createPorts(host);
  const body = { composition: emptyComposition, designId: 'd1', settings: {} as never };
  for (const call of [
    ports.uploadDesign(new File([], 'a.png'), { signal, onProgress: () => {} }),
    ports.vectorize('d1', {} as never, stageOptions),
    ports.loadDesign('d1', signal),
    ports.exportProduction(body, stageOptions),
    ports.exportMockup(emptyComposition, stageOptions),
  ]) {
    await expect(call).rejects.toThrow(/^You are offline\. /);
  }
  expect(host.onDesignGone).not.toHaveBeenCalled();
});

it('rejects with the server’s sentence and its status', async () => {
  answers['/api/designs/vectorize'] = () => Response.json({ message: 'All used up.' }, { status: 402 });
  const error = await createPorts(host)
    .exportProduction({ composition: emptyComposition, designId: 'd1', settings: {} as never }, stageOptions)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'All used up.' });
  expect(statusOf(error)).toBe(402);
});

it('sends the composition with the design for a production file', async () => {
  answers['/api/designs/vectorize'] = () =>
    Response.json({ vectorizedSvgUrl: '/files/p', filename: 'a_production.svg' });
  const settings = { colorMode: 'color', despeckle: 3 } as never;
  const input = { composition: emptyComposition, designId: 'd1', settings };
  const file = await createPorts(host).exportProduction(input, stageOptions);
  expect(file).toEqual({ url: '/files/p', filename: 'a_production.svg' });
  expect(requests.at(-1)?.body).toEqual({
    designId: 'd1',
    settings: {
      colorMode: 'color',
      quality: 'high',
      mode: 'vectorize',
      machineType: 'laser',
      paletteSize: 64,
      despeckle: 3,
    },
    composition: { version: COMPOSITION_VERSION, data: JSON.parse(JSON.stringify(emptyComposition)) },
  });
});

it('removes the background and reads the design again, without its old trace', async () => {
  const cut = { ...design, backgroundRemovedUrl: '/files/cut', vectorizedSvgUrl: null };
  answers['/api/designs/remove-background'] = () => {
    answers['/api/designs/d1'] = () => Response.json(cut);
    return Response.json({ backgroundRemovedUrl: '/files/cut', modelUsed: 'classical' });
  };
  host.queryClient.setQueryData(['/api/designs'], [design]);
  const options = { edgeShift: 1, feather: 0, strokes: [], clearEnclosed: true };
  const onStage = vi.fn();
  expect(await createPorts(host).backgrounds?.remove('d1', options, { signal, onStage })).toEqual({
    design: cut,
    artwork: undefined,
  });
  expect(requests[0]).toEqual({ url: '/api/designs/remove-background', body: { designId: 'd1', options } });
  expect(host.queryClient.getQueryState(['/api/designs'])?.isInvalidated).toBe(true);
});

it('rejects with the reason when a background cannot be removed', async () => {
  const message = messages.backgroundNotPlain;
  answers['/api/designs/remove-background'] = () => Response.json({ message }, { status: 422 });
  const onStage = vi.fn();
  const cutOut = () => createPorts(host).backgrounds?.cutOut('d1', undefined, { signal, onStage });
  await expect(cutOut()).rejects.toThrow(message);
  expect(onStage).not.toHaveBeenCalled();

  answers['/api/designs/remove-background'] = () =>
    inLines({ stage: 'reading' }, { status: 422, refusal: { message } });
  await expect(cutOut()).rejects.toThrow(message);
  answers['/api/designs/remove-background'] = () => inLines({ stage: 'reading' });
  await expect(cutOut()).rejects.toThrow('The server cannot be reached right now.');
});

it('reports the stages of a background removal, however the stream is cut into chunks', async () => {
  const reply = { backgroundRemovedUrl: '/files/cut', modelUsed: 'isnet' };
  answers['/api/designs/remove-background'] = () =>
    inLines({ stage: 'reading' }, { stage: 'of a later version' }, { stage: 'looking' }, { reply });
  const stages: string[] = [];
  const onStage = (stage: string) => void stages.push(stage);
  const url = await createPorts(host).backgrounds?.cutOut('d1', undefined, { signal, onStage });
  expect([url, stages]).toEqual(['/files/cut', ['reading', 'looking']]);
});

/** Returns an answer in stages, in chunks of seven bytes. */
function inLines(...lines: object[]): Response {
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < bytes.length; i += 7) controller.enqueue(bytes.slice(i, i + 7));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': `${PROGRESS_STREAM_TYPE}; charset=utf-8` } });
}

it('asks for the products once', async () => {
  answers['/api/products'] = () => Response.json([]);
  const ports = createPorts(host);
  await Promise.all([ports.products(), ports.products()]);
  await ports.products();
  expect(requests).toHaveLength(1);
});

it('records an export and reloads the allowance; a lost record is no failure', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  host.queryClient.setQueryData(['/api/users/stats'], { vectorsUsed: 1 });
  createPorts(host).recordExport({
    kind: 'vector',
    productName: 'Mug',
    designFilename: 'logo.png',
    vectorMode: 'black',
  });
  await expect.poll(() => warn).toHaveBeenCalledOnce();
  expect(requests[0]).toEqual({
    url: '/api/exports/record-vector',
    body: { designFilename: 'logo.png', vectorMode: 'black' },
  });
  expect(host.onExported).toHaveBeenCalledOnce();
  expect(host.queryClient.getQueryState(['/api/users/stats'])?.isInvalidated).toBe(true);
  warn.mockRestore();
});

it('gives the editor the account with its allowance and use', () => {
  expect(createPorts(host).account()).toEqual({ isSignedIn: false, mockups: { used: 1, limit: 4 } });
});
