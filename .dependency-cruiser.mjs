// Who may import whom. Type imports count. The messages say where the code should go instead.
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: '^(packages|apps)/', pathNot: allowed },
});

// The rooms of the vectorizer from the bottom up: a room imports only those before it (and the leaves options.ts and drawing.ts),
// so there is no cycle between them. tracer.ts, svg.ts and index.ts stand above all rooms.
const vectorizerRooms = [
  'geometry',
  'pixels',
  'color',
  'regions',
  'shading',
  'boundary',
  'fit',
  'refine',
  'centerline',
  'photo',
  'assemble',
];
const vectorizerOrder = vectorizerRooms.map((room, k) => ({
  name: `vectorizer-room-${room}`,
  severity: 'error',
  comment: 'A room of the vectorizer imports only the rooms below it: move what both need down.',
  from: { path: `^packages/vectorizer/src/${room}/`, pathNot: '\\.test\\.ts$' },
  to: {
    path: `^packages/vectorizer/src/(${[...vectorizerRooms.slice(k + 1), 'index\\.ts', 'svg\\.ts', 'tracer\\.ts'].join('|')})`,
  },
}));
/** The rooms of the scene package, from the ground up: each may import those before it, never one behind it. */
const sceneRooms = [
  'svg',
  'geometry',
  'document',
  'artwork',
  'import',
  'resolve',
  'text',
  'arrange',
  'production',
  'render',
  'preflight',
];

export default {
  forbidden: [
    only(
      'vectorizer-stands-alone',
      '^packages/vectorizer/',
      '^packages/vectorizer/',
      'The vectorizer is published on its own: translate the product’s words in packages/contract/src/tracing.ts instead.',
    ),
    {
      name: 'vectorizer-has-no-dependencies',
      severity: 'error',
      comment: 'The vectorizer is dependency-free; benches and tests may use more.',
      from: { path: '^packages/vectorizer/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    ...vectorizerOrder,
    {
      name: 'vectorizer-leaves',
      severity: 'error',
      comment: 'Every room may import options.ts and drawing.ts, so they import no room but geometry.',
      from: { path: '^packages/vectorizer/src/(options|drawing)\\.ts$' },
      to: { path: '^packages/vectorizer/src/', pathNot: '^packages/vectorizer/src/geometry/' },
    },
    only(
      'matting-stands-alone',
      '^packages/matting/src',
      '^packages/matting/src',
      'Numbers in, numbers out: pictures are read and written by who calls it.',
    ),
    only(
      'scene-is-a-leaf',
      '^packages/scene/src',
      '^packages/(scene|fonts)/src',
      'Put what another package needs into that package, or pass it in.',
    ),
    {
      name: 'scene-runs-anywhere',
      severity: 'error',
      comment: 'The scene runs in browser and server alike: no React, no Node modules (tests may).',
      from: { path: '^packages/scene/src', pathNot: '\\.test\\.ts$' },
      to: {
        path: '(node_modules/(react|react-dom)/|^(fs|path|http|https|net|child_process|crypto|stream|os|url|buffer|worker_threads)$)',
      },
    },
    ...sceneRooms.map((room, place) => ({
      name: `scene-rooms-${room}`,
      severity: 'error',
      comment: `The rooms of the scene stand in one order: ${sceneRooms.join(' < ')}. Move the code down, or pass it in.`,
      from: { path: `^packages/scene/src/${room}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^packages/scene/src/(${['index\\.ts$', ...sceneRooms.slice(place + 1).map((next) => `${next}/`)].join('|')})`,
      },
    })),
    only(
      'contract-knows-scene',
      '^packages/contract',
      '^packages/(contract|scene)/',
      'The contract holds words and schemas only.',
    ),
    only(
      'editor-knows-no-host',
      '^packages/editor',
      '^packages/(editor|controls|fonts|scene|contract|matting)/',
      'Ask the host for it through core/ports.ts.',
    ),
    only(
      'fonts-is-a-leaf',
      '^packages/fonts/',
      '^packages/fonts/',
      'It lists fonts and finds their files: outlines are made in packages/scene/src/text.ts.',
    ),
    {
      name: 'fonts-run-anywhere',
      severity: 'error',
      comment: 'Only files.ts, which finds font files on disk, may use Node.',
      from: { path: '^packages/fonts/src', pathNot: '(/files|\\.test)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    only(
      'controls-know-no-product',
      '^packages/controls/',
      '^packages/controls/',
      'A control shows what it is given: its words and values come from who uses it.',
    ),
    only(
      'embed-stands-alone',
      '^packages/embed/src',
      '^packages/embed/',
      'The loader runs on strangers’ pages and must stay small: it knows the widget by its messages alone.',
    ),
    only(
      'web-knows-no-server',
      '^apps/web',
      '^(apps/web|packages/(editor|controls|embed|fonts|scene|contract|vectorizer))/',
      'Say it in the contract.',
    ),
    only(
      'server-knows-no-browser',
      '^apps/server',
      '^(apps/server|packages/(contract|fonts|matting|scene|vectorizer))/',
      'Rules live in the server, looks in the browser.',
    ),
    {
      name: 'server-has-no-react',
      severity: 'error',
      from: { path: '^apps/server' },
      to: { path: 'node_modules/(react|react-dom)/' },
    },
    {
      name: 'platform-knows-no-area',
      severity: 'error',
      comment: 'Pass it in from app.ts or deps.ts.',
      from: { path: '^apps/server/src/platform/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^apps/server/src/(accounts|admin|billing|companies|compositions|designs|exports|catalogue|mail|feedback)/',
      },
    },
    {
      name: 'areas-share-rules-not-routes',
      severity: 'error',
      comment: 'Import the rule, not the route.',
      from: {
        path: '^apps/server/src/(accounts|admin|billing|companies|compositions|designs|exports|catalogue|mail|feedback)/',
      },
      to: {
        path: '^apps/server/src/(accounts|admin|billing|companies|compositions|designs|exports|catalogue|mail|feedback)/routes\\.ts$',
        pathNot: '^apps/server/src/$1/',
      },
    },
    {
      name: 'editor-core-has-no-react',
      severity: 'error',
      from: { path: '^packages/editor/src/core/' },
      to: { path: '(node_modules/(react|react-dom|radix-ui)/|^packages/editor/src/react/)' },
    },
    {
      name: 'pages-stand-apart',
      severity: 'error',
      comment: 'What two pages share goes into ui/, products/, makers/, orders/ or studioHost/.',
      from: { path: '^apps/web/src/pages/([^/]+)/' },
      to: { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
    },
    {
      name: 'web-layers',
      severity: 'error',
      comment: 'Below the pages and the widget: what they share by subject, then ui/. Nothing imports upward.',
      from: { path: '^apps/web/src/(widget|studioHost|products|makers|orders|ui)/' },
      to: { path: '^apps/web/src/(pages|widget)/', pathNot: '^apps/web/src/$1/' },
    },
    {
      name: 'ui-is-below-subjects',
      severity: 'error',
      comment: 'A part of every page knows no subject: put it into the subject’s folder.',
      from: { path: '^apps/web/src/ui/' },
      to: { path: '^apps/web/src/(studioHost|products|makers|orders)/' },
    },
    {
      name: 'client-and-session-are-lowest',
      severity: 'error',
      comment: 'The client and the session know neither pages nor their parts.',
      from: { path: '^apps/web/src/(api|askInStages|session|token|mailedToken)\\.tsx?$' },
      to: { path: '^apps/web/src/[^/]+/' },
    },
    {
      name: 'web-has-no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^apps/web/src' },
      to: { circular: true },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'declared-dependencies',
      severity: 'error',
      comment:
        'Workspaces hoist, so an undeclared dependency works until it does not: add it to the package.json beside it.',
      from: { path: '^(packages|apps)/[^/]+/src', pathNot: '\\.test\\.tsx?$' },
      to: { path: 'node_modules', dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(virtual:|data:)' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|node_modules/.*\\.d\\.ts)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.css', '.json'],
    },
  },
};
