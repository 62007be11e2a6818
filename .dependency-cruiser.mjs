// Who may import whom. Type imports count. The messages say where the code should go instead.
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

/** Files of a package or app import from others only what lies under `allowedPaths`. */
const only = (name, from, allowedPaths, comment) =>
  forbid(name, { path: from }, { path: '^(packages|apps)/', pathNot: allowedPaths }, comment);

/** A package imports no other npm package and no module of Node. Its tests may. */
const withoutDependencies = (folder, comment) =>
  forbid(
    `${folder}-has-no-dependencies`,
    { path: `^packages/${folder}/src`, pathNot: '\\.test\\.ts$' },
    { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    comment,
  );

/**
 * Forbids a folder of `parent`, without its tests, to import from `parent` anything but what matches `allowedPaths`.
 */
const folderOnly = (name, parent, folder, allowedPaths, comment) =>
  forbid(
    name,
    { path: `^${parent}/${folder}/`, pathNot: '\\.test\\.ts$' },
    { path: `^${parent}/`, pathNot: `^${parent}/(${allowedPaths.join('|')})` },
    comment,
  );

/**
 * Puts folders into one order: each imports those before it and the `leaves`, which every folder may import. A test may
 * import anything.
 */
const inOrder = (name, parent, folders, leaves, comment) =>
  folders.map((folder, place) =>
    folderOnly(
      `${name}-${folder}`,
      parent,
      folder,
      [...leaves, ...folders.slice(0, place + 1).map((lower) => `${lower}/`)],
      `The order is: ${folders.join(' < ')}. ${comment}`,
    ),
  );

/**
 * The rooms of the vectorizer from the bottom up. The leaves options.ts and drawing.ts lie below all of them;
 * tracer.ts, svg.ts and index.ts stand above.
 */
const vectorizerRooms = [
  'kernels',
  'geometry',
  'pixels',
  'color',
  'light',
  'regions',
  'shading',
  'boundary',
  'fit',
  'refine',
  'regular',
  'centerline',
  'photo',
  'assemble',
];
/** The rooms of the scene package from the bottom up. */
const sceneRooms = [
  'svg',
  'geometry',
  'surface',
  'document',
  'artwork',
  'import',
  'resolve',
  'text',
  'lettering',
  'arrange',
  'production',
  'render',
  'preflight',
  'rows',
  'sheets',
];
/** The server's areas, from the lowest to the highest. `platform` and `media` lie below all of them. */
const serverAreas = [
  'mail',
  'accounts',
  'allowances',
  'catalogue',
  'companies',
  'shops',
  'tracing',
  'designs',
  'exports',
  'compositions',
  'library',
  'savedDesigns',
  'makers',
  'orders',
  'feedback',
  'billing',
  'storage',
  'admin',
  'privacy',
  'operator',
];

export default {
  forbidden: [
    only(
      'vectorizer-stands-alone',
      '^packages/vectorizer/',
      '^packages/vectorizer/',
      'The vectorizer is published on its own: translate the product’s words in packages/contract/src/tracing.ts instead.',
    ),
    withoutDependencies('vectorizer', 'The vectorizer is dependency-free; benches and tests may use more.'),
    ...inOrder(
      'vectorizer-room',
      'packages/vectorizer/src',
      vectorizerRooms,
      ['options\\.ts$', 'drawing\\.ts$'],
      'Move what both rooms need down.',
    ),
    forbid(
      'vectorizer-leaves',
      { path: '^packages/vectorizer/src/(options|drawing)\\.ts$' },
      { path: '^packages/vectorizer/src/', pathNot: '^packages/vectorizer/src/geometry/' },
      'Every room may import options.ts and drawing.ts, so they import no room but geometry.',
    ),
    only(
      'matting-stands-alone',
      '^packages/matting/src',
      '^packages/matting/src',
      'Numbers in, numbers out: pictures are read and written by who calls it.',
    ),
    only(
      'straighten-stands-alone',
      '^packages/straighten',
      '^packages/straighten/',
      'Numbers in, numbers out: pictures are read and written by who calls it.',
    ),
    withoutDependencies('straighten', 'It runs in browser and server alike.'),
    only(
      'engraving-stands-alone',
      '^packages/engraving',
      '^packages/engraving/',
      'Numbers in, numbers out: pictures are read and files written by who calls it.',
    ),
    withoutDependencies('engraving', 'It runs in browser and server alike.'),
    only(
      'scene-is-a-leaf',
      '^packages/scene/src',
      '^packages/(scene|fonts)/src',
      'Put what another package needs into that package, or pass it in.',
    ),
    forbid(
      'scene-and-contract-run-anywhere',
      { path: '^packages/(scene|contract)/src', pathNot: '\\.test\\.ts$' },
      {
        path: '(node_modules/(react|react-dom)/|^(fs|path|http|https|net|child_process|crypto|stream|os|url|buffer|worker_threads)$)',
      },
      'Scene and contract run in browser and server alike: no React, no Node modules (tests may).',
    ),
    ...inOrder('scene-rooms', 'packages/scene/src', sceneRooms, [], 'Move the code down, or pass it in.'),
    only(
      'contract-knows-scene',
      '^packages/contract',
      '^packages/(contract|engraving|scene)/',
      'The contract holds words, schemas and translations of them only.',
    ),
    only(
      'editor-knows-no-host',
      '^packages/editor',
      '^packages/(editor|controls|fonts|scene|contract|matting|straighten)/',
      'Ask the host for it through core/ports.ts.',
    ),
    only(
      'fonts-is-a-leaf',
      '^packages/fonts/',
      '^packages/fonts/',
      'It lists fonts and finds their files: outlines are made in packages/scene/src/text/text.ts.',
    ),
    forbid(
      'fonts-run-anywhere',
      { path: '^packages/fonts/src', pathNot: '(/files|\\.test)\\.ts$' },
      { dependencyTypes: ['core'] },
      'Only files.ts, which finds font files on disk, may use Node.',
    ),
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
      '^(apps/web|packages/(editor|controls|embed|engraving|fonts|matting|scene|contract|straighten|vectorizer))/',
      'Say it in the contract.',
    ),
    only(
      'server-knows-no-browser',
      '^apps/server',
      '^(apps/server|packages/(contract|engraving|fonts|matting|scene|straighten|vectorizer))/',
      'Rules live in the server, looks in the browser.',
    ),
    forbid('server-has-no-react', { path: '^apps/server' }, { path: 'node_modules/(react|react-dom)/' }),
    folderOnly(
      'server-platform-knows-no-area',
      'apps/server/src',
      'platform',
      ['platform/', 'config\\.ts$'],
      'Hand it in from app.ts or openContext.ts, or declare a port in platform/ports.',
    ),
    folderOnly(
      'server-media-knows-platform-only',
      'apps/server/src',
      'media',
      ['media/', 'platform/'],
      'Child processes run media: what an area knows comes in with the job.',
    ),
    forbid(
      'server-areas-share-rules-not-routes',
      { path: '^apps/server/src/([^/]+)/' },
      { path: '^apps/server/src/[^/]+/routes\\.ts$', pathNot: '^apps/server/src/$1/' },
      'Import the rule, not the route.',
    ),
    forbid(
      'server-areas-know-no-composition-root',
      { path: '^apps/server/src/[^/]+/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/server/src/[^/]+\\.ts$', pathNot: '^apps/server/src/config\\.ts$' },
      'main.ts and the tests put the server together.',
    ),
    forbid('server-config-is-a-leaf', { path: '^apps/server/src/config\\.ts$' }, { path: '^apps/' }),
    ...inOrder(
      'server-area',
      'apps/server/src',
      serverAreas,
      ['config\\.ts$', 'platform/', 'media/'],
      'Move what both areas need down, or hand it in from app.ts.',
    ),
    forbid(
      'server-area-has-a-place',
      { path: '^apps/server/src/[^/]+/', pathNot: `^apps/server/src/(platform|media|${serverAreas.join('|')})/` },
      {},
      'Put a new area into the list serverAreas, after those it imports.',
    ),
    forbid(
      'editor-core-has-no-react',
      { path: '^packages/editor/src/core/' },
      { path: '(node_modules/(react|react-dom|radix-ui)/|^packages/editor/src/react/)' },
    ),
    forbid(
      'pages-stand-apart',
      { path: '^apps/web/src/pages/([^/]+)/' },
      { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
      'What two pages share goes into ui/, products/, makers/, orders/ or studioHost/.',
    ),
    forbid(
      'web-layers',
      { path: '^apps/web/src/(widget|studioHost|products|makers|orders|ui)/' },
      { path: '^apps/web/src/(pages|widget)/', pathNot: '^apps/web/src/$1/' },
      'Below the pages and the widget: what they share by subject, then ui/. Nothing imports upward.',
    ),
    forbid(
      'ui-is-below-subjects',
      { path: '^apps/web/src/ui/' },
      { path: '^apps/web/src/(studioHost|products|makers|orders)/' },
      'A part of every page knows no subject: put it into the subject’s folder.',
    ),
    forbid(
      'client-and-session-are-lowest',
      { path: '^apps/web/src/(api|client|request|progressStream|session|token|mailedToken)\\.tsx?$' },
      { path: '^apps/web/src/[^/]+/' },
      'The client and the session know neither pages nor their parts.',
    ),
    forbid(
      'browser-loads-no-schemas',
      { path: '^(apps/web|packages/(editor|controls))/src/', pathNot: '\\.(test|property\\.test)\\.tsx?$' },
      { path: '^packages/contract/src/(index\\.ts|schemas/(?!forms))', dependencyTypesNot: ['type-only'] },
      'Import /paths, /words, /tracing, /engraving or /forms of the contract; types of /schemas by `import type`.',
    ),
    forbid(
      'browser-loads-zod-mini-only',
      {
        path: '^(apps/web/src|packages/(scene|editor|controls)/src|packages/contract/src/(paths|words|schemas/forms|tracing|engraving))',
        pathNot: '\\.test\\.tsx?$',
      },
      { path: 'node_modules/zod/(index|v4/classic)', dependencyTypesNot: ['type-only'] },
      'Zod tries `eval`, which the pages forbid by policy, and is four times as large: import zod/mini.',
    ),
    forbid('no-cycles', {}, { circular: true }),
    forbid(
      'declared-dependencies',
      { path: '^(packages|apps)/[^/]+/src', pathNot: '\\.test\\.tsx?$' },
      { path: 'node_modules', dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
      'Workspaces hoist, so an undeclared dependency works until it does not: add it to the package.json beside it.',
    ),
    forbid('resolvable', {}, { couldNotResolve: true, pathNot: '^(virtual:|data:)' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|/\\.build/|node_modules/.*\\.d\\.ts)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.css', '.json'],
    },
  },
};
