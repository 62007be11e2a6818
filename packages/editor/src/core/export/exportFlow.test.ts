import { messages, vectorLimitReached } from '@markwright/contract/words';
import { expect, test, vi } from 'vitest';
import type { ExportPorts, Ports, TraceCallOptions } from '../ports.ts';
import { preflightOf } from '../preflight/preflightFlow.ts';
import { createDeferred, createHost, createTracedFlow, designPlacement, openEditor, textElement } from '../testHost.ts';
import { createDesignFlow } from '../trace/designFlow.ts';
import { createExportFlow } from './exportFlow.ts';
import type { AskAboutFindings, FindingsAnswer } from './findingsGate.ts';

function open(
  changes: Partial<Ports & ExportPorts> = {},
  composition = { design: designPlacement() } as object,
  ask?: AskAboutFindings,
) {
  const editor = openEditor(composition);
  const host = createHost(changes);
  const flow = createExportFlow(editor, host.ports, createTracedFlow(editor, host.ports), ask);
  return { editor, host, flow };
}
const guest = { account: () => ({ isSignedIn: false }) };
const refusal = (status: number) => Object.assign(new Error('no'), { status });

test('signed out, each export asks for an account with its own words', async () => {
  const { host, flow } = open(guest);
  await flow.exportProduction();
  await flow.exportCustomSvg();
  await flow.exportPng();
  expect(host.accountRequests).toEqual([
    { reason: 'production', ...messages.productionRequiresAccount },
    { reason: 'customSvg', ...messages.customSvgRequiresAccount },
    { reason: 'png', ...messages.pngRequiresAccount },
  ]);
  expect(host.savedFiles).toEqual([]);
});

test('calls nothing and saves nothing without a connection', async () => {
  const { host, flow } = open({ offline: () => 'You are offline.' });
  await flow.exportProduction();
  await flow.exportCustomSvg();
  await flow.exportPng();
  expect(host.toasts).toEqual(
    Array(3).fill({ title: 'Export failed', description: 'You are offline.', variant: 'destructive' }),
  );
  expect([host.savedFiles, flow.getState().busy]).toEqual([[], undefined]);
});

test('makes no file of a picture whose trace failed, and costs nothing', async () => {
  const host = createHost({ vectorize: () => Promise.reject(new Error('No connection.')) });
  const editor = openEditor();
  const designs = createDesignFlow(editor, host.ports);
  await designs.upload(new File(['x'], 'logo.png', { type: 'image/png' }));
  const flow = createExportFlow(editor, host.ports, designs);
  const before = host.calls.length;
  await flow.exportProduction();
  await flow.exportCustomSvg();
  await flow.exportPng();
  expect(host.calls.slice(before)).toEqual([]);
  expect(host.toasts.slice(-3)).toEqual(
    Array(3).fill({
      title: 'Export failed',
      description: 'The picture is not traced. Trace it, or remove it.',
      variant: 'destructive',
    }),
  );
});

test('asks once about each finding before a file costs an export, and makes none for another answer', async () => {
  const questions: string[][] = [];
  let answer: FindingsAnswer = 'cancel';
  const composition = { design: designPlacement({ x: 45 }) };
  const { editor, host, flow } = open({}, composition, async (findings) => {
    questions.push(findings.map(({ kind }) => kind));
    return answer;
  });
  const countFiles = () => host.calls.filter(({ name }) => name === 'production' || name === 'customSvg').length;
  const preflight = preflightOf(editor, host.ports, createTracedFlow(editor, host.ports));
  await flow.exportProduction();
  expect([questions, countFiles(), preflight.getState().isOpen]).toEqual([[['outside']], 0, false]);
  answer = 'look';
  await flow.exportCustomSvg();
  expect([questions.length, countFiles(), preflight.getState().isOpen]).toEqual([2, 0, true]);

  answer = 'export';
  await flow.exportProduction();
  await flow.exportProduction();
  await flow.exportCustomSvg();
  expect([questions.length, countFiles()]).toEqual([3, 3]);
  // Further outside is another finding.
  editor.dispatch({ type: 'nudge', elementId: 'design', dx: 3, dy: 0 });
  await flow.exportProduction();
  expect([questions.length, countFiles()]).toEqual([4, 4]);
  // A mockup is a picture of what is there.
  editor.dispatch({ type: 'nudge', elementId: 'design', dx: 1, dy: 0 });
  await flow.exportPng();
  expect(questions.length).toBe(4);
});

test.each(['exportProduction', 'exportCustomSvg', 'exportPng'] as const)(
  '%s shows its stages and can be canceled: no file is saved, and no substitute is offered',
  async (kind) => {
    let options: TraceCallOptions | undefined;
    const wait = (_input: unknown, callOptions: TraceCallOptions) => {
      options = callOptions;
      return new Promise<never>((_, reject) =>
        callOptions.signal.addEventListener('abort', () => reject(callOptions.signal.reason)),
      );
    };
    const { host, flow, editor } = open({ exportProduction: wait, exportCustomSvg: wait, exportMockup: wait });
    const work = flow[kind]();
    await vi.waitFor(() => expect(options).toBeDefined());
    options!.onStage('colors');
    expect(flow.getState().stage).toBe('colors');
    flow.cancel();
    await work;
    expect(host.savedFiles).toEqual([]);
    expect(host.toasts.at(-1)).toEqual({ title: 'Export canceled', description: 'No file was saved.' });
    expect([flow.getState(), editor.getState().isExporting]).toEqual([
      { busy: undefined, stage: undefined, outcome: undefined },
      false,
    ]);
  },
);

test('keeps what an export came to until it is dismissed or the next one starts', async () => {
  let isBroken = false;
  const { editor, flow } = open({
    exportCustomSvg: () =>
      isBroken ? Promise.reject(refusal(500)) : Promise.resolve({ text: '<svg/>', mediaType: 'image/svg+xml' }),
  });
  await flow.exportCustomSvg();
  const { composition } = editor.getState();
  expect(flow.getState().outcome).toMatchObject({ kind: 'file', exportKind: 'customSvg', format: 'SVG', composition });
  isBroken = true;
  await flow.exportCustomSvg();
  expect(flow.getState().outcome).toEqual({ kind: 'failure', ...messages.customSvgFailed });
  flow.dismiss();
  expect(flow.getState().outcome).toBeUndefined();
});

test('reports used-up vector exports before it calls the server', async () => {
  const { host, flow } = open({ account: () => ({ isSignedIn: true, vectors: { used: 8, limit: 8 } }) });
  await flow.exportProduction();
  await flow.exportCustomSvg();
  expect(host.accountRequests).toEqual([
    { reason: 'vectorLimit', ...vectorLimitReached(8) },
    { reason: 'vectorLimit', ...vectorLimitReached(8) },
  ]);
  expect(host.calls).toEqual([]);
});

test('shows the server’s sentence when the vector exports ran out elsewhere', async () => {
  const { host, flow } = open({
    account: () => ({ isSignedIn: true }),
    exportProduction: () => Promise.reject(refusal(402)),
  });
  await flow.exportProduction();
  expect(host.accountRequests).toEqual([
    { reason: 'vectorLimit', title: 'Vector Export Limit Reached', description: 'no' },
  ]);
});

test('does not tell a customer whose plan has exports to upgrade when the vectorizer fails', async () => {
  const { host, flow } = open({
    account: () => ({ isSignedIn: true, vectors: { used: 1, limit: 300 } }),
    exportProduction: () => Promise.reject(refusal(503)),
  });
  await flow.exportProduction();
  expect(host.toasts.at(-1)).toEqual({
    title: 'SVG exported successfully!',
    description: 'Full vectorization failed, so this file cost nothing. Please try again later.',
  });
});

test('production does nothing with no design and no text', async () => {
  const { host, flow } = open(guest, {});
  await flow.exportProduction();
  expect(host).toMatchObject({ accountRequests: [], calls: [], toasts: [] });
});

test('a production file is made, saved under the product’s name, recorded and announced', async () => {
  const { editor, host, flow } = open();
  await flow.exportProduction();
  expect(host.calls[0]).toMatchObject({
    name: 'production',
    input: {
      designId: 'd1',
      composition: editor.getState().composition,
      settings: { colorMode: 'black' },
    },
  });
  expect(host.savedFiles).toEqual([{ file: { url: '/files/p.svg' }, filename: 'Slate_Coaster_4_in_production.svg' }]);
  expect(host.calls.at(-1)).toMatchObject({
    name: 'record',
    input: { kind: 'vector', designFilename: 'logo.png', vectorMode: 'black' },
  });
  expect(host.toasts).toEqual([
    { title: 'Generating production SVG...', description: 'Full vectorization costs 1.0 credit.', isProgress: true },
    { title: 'Production SVG exported successfully!', description: 'True size, ready for your machine.' },
  ]);
});

test('a production file has the settings of the trace on the stage, not those that are only on the panel', async () => {
  const editor = openEditor({});
  const host = createHost();
  const designs = createTracedFlow(editor, host.ports);
  designs.connect();
  await designs.upload(new File(['x'], 'logo.png', { type: 'image/png' }));
  const flow = createExportFlow(editor, host.ports, designs);
  const sentSettings = async () => {
    await flow.exportProduction();
    return (host.calls.filter(({ name }) => name === 'production').at(-1)!.input as { settings: object }).settings;
  };
  designs.changeSettings({ colorMode: 'color', despeckle: 7 });
  expect(await sentSettings()).toMatchObject({ colorMode: 'black' });
  expect(await sentSettings()).not.toHaveProperty('despeckle');

  // A preview traces with a despeckle of its own.
  designs.undoPreview();
  designs.changeSettings({ cutout: true });
  await designs.retrace();
  expect(host.calls.some(({ name }) => name === 'preview')).toBe(true);
  expect(await sentSettings()).toMatchObject({ colorMode: 'black', despeckle: 0, cutout: true });
});

test('a file that the standard engine made is reported as such, and recorded like any other', async () => {
  const { host, flow } = open({ exportProduction: async () => ({ url: '/files/p.svg', fellBack: true }) });
  await flow.exportProduction();
  expect(host.toasts.slice(1)).toEqual([
    { title: 'Production upgrade failed', description: 'Falling back to standard SVG export.' },
    {
      title: 'Production SVG exported successfully!',
      description: 'Traced by the standard engine. True size, ready for your machine.',
    },
  ]);
  expect(host.savedFiles).toMatchObject([{ file: { url: '/files/p.svg' } }]);
  expect(host.calls.at(-1)).toMatchObject({ name: 'record', input: { kind: 'vector' } });
});

test('exports texts without a design', async () => {
  const { host, flow } = open({}, { texts: [textElement('a')] });
  await flow.exportProduction();
  expect(host.calls[0]).toMatchObject({ input: { designId: undefined } });
  expect(host.savedFiles).toHaveLength(1);
});

test('a mockup is turned as the Live Preview shows the blank', async () => {
  const { editor, host, flow } = open();
  const { product } = editor.getState().assets;
  editor.setAssets({ product: { ...product!, surface: { kind: 'cylinder', diameterMm: 73 } } });
  await flow.exportPng();
  editor.setTurn(35);
  await flow.exportPng();
  expect(host.calls.flatMap(({ name, input }) => (name === 'turn' ? [input] : []))).toEqual([35]);
});

test('a moving mockup is asked for as it is, and told apart from the still one', async () => {
  const { editor, host, flow } = open();
  const { product } = editor.getState().assets;
  editor.setAssets({ product: { ...product!, surface: { kind: 'cylinder', diameterMm: 73 } } });
  editor.setTurn(35);
  await flow.exportSpin();
  expect(host.calls.map(({ name }) => name)).toEqual(expect.arrayContaining(['spin', 'record']));
  expect(host.calls.map(({ name }) => name)).not.toContain('turn');
  expect(flow.getState().outcome).toMatchObject({ kind: 'file', exportKind: 'png', format: 'WebP' });
});

test('a mockup stands in the scene that is named, and else in none', async () => {
  const { host, flow } = open();
  await flow.exportPng();
  await flow.exportPng('kitchen');
  expect(host.calls.flatMap(({ name, input }) => (name === 'scene' ? [input] : []))).toEqual(['kitchen']);
});

test('prefers the file name of the server', async () => {
  const { host, flow } = open({ exportMockup: async () => ({ url: '/m', filename: 'theirs.png' }) });
  await flow.exportPng();
  expect(host.savedFiles[0]?.filename).toBe('theirs.png');
});

test('a standard SVG without a product is named after the picture, as the server names it', async () => {
  const { editor, host, flow } = open({ exportProduction: () => Promise.reject(refusal(503)) });
  editor.dispatch({ type: 'setProduct', productId: undefined });
  await flow.exportProduction();
  expect(host.savedFiles[0]?.filename).toBe('logo_production.svg');
});

test('when production fails, the standard SVG made here is saved instead, and nothing is recorded', async () => {
  const { host, flow } = open({
    account: () => ({ isSignedIn: true }), // with a plan whose exports are not known
    exportProduction: () => Promise.reject(refusal(503)),
  });
  await flow.exportProduction();
  expect(host.toasts.at(1)).toEqual({ ...messages.productionFallback, variant: 'destructive' });
  expect(host.toasts.at(-1)).toEqual({
    title: 'SVG exported successfully!',
    description: 'Upgrade for full vectorization.',
  });
  const [{ file, filename }] = host.savedFiles as [(typeof host.savedFiles)[0]];
  expect(filename).toBe('Slate_Coaster_4_in_production.svg');
  expect(file).toMatchObject({ mediaType: 'image/svg+xml' });
  const svg = 'text' in file ? file.text : '';
  expect(svg).toMatch(/^<svg [^>]*width="400"[^>]*height="400"/);
  expect(svg).toContain('<path');
  expect(host.calls.some(({ name }) => name === 'record')).toBe(false);
});

test('a text in a font that is not here is reported, and no standard SVG with another font is saved', async () => {
  const texts = [textElement('t1', { fontFamily: 'Comic Sans' })];
  const { host, flow } = open({ exportProduction: () => Promise.reject(refusal(422)) }, { texts });
  await flow.exportProduction();
  expect(host.toasts.at(-1)).toEqual({ title: 'Export failed', description: 'no', variant: 'destructive' });
  expect(host.savedFiles).toEqual([]);
});

test.each([
  [402, 'vectorLimit'],
  [401, 'production'],
] as const)('a %i from the server asks instead of falling back', async (status, reason) => {
  const { host, flow } = open({ exportProduction: () => Promise.reject(refusal(status)) });
  await flow.exportProduction();
  expect(host.accountRequests.map((request) => request.reason)).toEqual([reason]);
  expect(host.savedFiles).toEqual([]);
});

test('a custom SVG needs a design', async () => {
  const { host, flow } = open({}, { texts: [textElement('a')] });
  await flow.exportCustomSvg();
  expect(host.toasts).toEqual([{ ...messages.noDesignToExport, variant: 'destructive' }]);
});

test('a custom SVG and a mockup end with their sentences, failed or not', async () => {
  const good = open();
  await good.flow.exportCustomSvg();
  await good.flow.exportPng();
  expect(good.host.toasts).toMatchObject([
    { title: messages.customSvgExported, description: '1000x1000px' },
    { title: messages.mockupExported, description: 'The PNG is in your downloads.' },
  ]);
  expect(good.host.calls.filter(({ name }) => name === 'record')).toMatchObject([
    { input: { kind: 'vector' } },
    { input: { kind: 'mockup', productName: 'Slate Coaster, 4 in', designFilename: 'logo.png' } },
  ]);
  const bad = open({
    exportCustomSvg: () => Promise.reject(new Error('x')),
    exportMockup: () => Promise.reject(new Error('The server is busy.')),
  });
  await bad.flow.exportCustomSvg();
  await bad.flow.exportPng();
  expect(bad.host.toasts).toEqual([
    { ...messages.customSvgFailed, variant: 'destructive' },
    { title: 'Export failed', description: 'The server is busy.', variant: 'destructive' },
  ]);
});

test('runs one export at a time and marks the editor as exporting', async () => {
  const answer = createDeferred<{ url: string }>();
  const { editor, host, flow } = open({ exportMockup: () => answer.promise });
  const running = flow.exportPng();
  expect(flow.getState().busy).toBe('png');
  expect(editor.getState().isExporting).toBe(true);
  await flow.exportProduction();
  expect(host.calls.some(({ name }) => name === 'production')).toBe(false);
  answer.resolve({ url: '/m' });
  await running;
  expect(flow.getState().busy).toBeUndefined();
  expect(editor.getState().isExporting).toBe(false);
});

const project = { format: 'lbrn2', options: {} } as const;

test('makes another format of the production file, and says what its operator has to know', async () => {
  const { editor, host, flow } = open();
  const { composition } = editor.getState();
  await flow.exportProduction(project);
  expect(host.calls.filter(({ name }) => name === 'file' || name === 'production')).toEqual([
    { name: 'file', input: { composition, choice: project } },
  ]);
  expect(host.savedFiles.map(({ filename }) => filename)).toEqual(['Slate_Coaster_101.6x50.8mm.lbrn2']);
  expect(host.calls.at(-1)).toMatchObject({ name: 'record', input: { kind: 'vector' } });
  expect(host.toasts.at(-1)).toEqual({
    title: 'LightBurn project exported successfully!',
    description: '101.6 × 50.8 mm. Open it in LightBurn; an import drops the settings.',
  });
});

test('makes the job sheet of a file, also when the exports of the month are used up', async () => {
  const { editor, host, flow } = open({ account: () => ({ isSignedIn: true, vectors: { used: 8, limit: 8 } }) });
  const { composition } = editor.getState();
  await flow.exportSheet({ format: 'pdf', preset: 'versaWorks', options: { white: 'none' } });
  expect(host.calls.find(({ name }) => name === 'file')?.input).toEqual({
    composition,
    choice: { format: 'sheet', preset: 'versaWorks', options: { white: 'none' } },
  });
  expect(host.savedFiles).toHaveLength(1);
  expect(flow.getState().outcome).toMatchObject({ kind: 'file', exportKind: 'production', format: 'PDF' });
  expect(host.toasts.at(-1)).toMatchObject({ title: 'Job sheet exported successfully!' });
  await flow.exportPaperTest();
  expect(host.calls.filter(({ name }) => name === 'file').at(-1)?.input).toEqual({
    composition,
    choice: { format: 'paperTest', options: {} },
  });
  expect(host.toasts.at(-1)).toMatchObject({ title: 'Paper test exported successfully!' });
});

test('says why another format cannot be made, and gives no substitute for it', async () => {
  const { host, flow } = open({ exportFile: () => Promise.reject(new Error('The design has no outlines.')) });
  await flow.exportProduction(project);
  expect(host.savedFiles).toEqual([]);
  expect(host.toasts.at(-1)).toEqual({
    title: 'Export failed',
    description: 'The design has no outlines.',
    variant: 'destructive',
  });
  expect(flow.getState().busy).toBeUndefined();
});

test('asks for an account before it makes another format', async () => {
  const { host, flow } = open(guest);
  await flow.exportProduction(project);
  expect([host.calls, host.accountRequests.map(({ reason }) => reason)]).toEqual([[], ['production']]);
});
