import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

/** Address of the server for `npm run dev`. */
const server = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** The modules that every page and the widget load, beside React, and one that is too small for a chunk of its own. */
const baseModules = [
  '/packages/controls/src/Button.tsx',
  '/packages/controls/src/Field.tsx',
  '/packages/controls/src/HiddenFileInput.tsx',
  '/packages/controls/src/Tooltip.tsx',
  '/packages/controls/src/icons.tsx',
  '/packages/contract/src/paths/endpoint.ts',
  '/packages/contract/src/paths/widget.ts',
  '/packages/contract/src/words/products.ts',
  '/apps/web/src/client.ts',
  '/apps/web/src/jsonCall.ts',
  '/apps/web/src/request.ts',
  '/apps/web/src/ui/ToastsLater.tsx',
  '/apps/web/src/ui/notices.ts',
];

/**
 * The modules that go into one chunk. Without a group, a module that several pages share becomes a chunk of its own,
 * which costs about 0.3 kB gzipped. A group takes along what its modules import and no earlier group has. Together the
 * groups save 0.7 kB gzipped on the landing page, 1.3 kB in the widget and 1.5 kB in the studio.
 */
const chunkGroups = [
  {
    name: 'base',
    test: (id: string) =>
      /\/node_modules\/(react|react-dom|scheduler)\//.test(id) || baseModules.some((path) => id.endsWith(path)),
  },
  // The studio and the widget choose a product from one list.
  { name: 'products', test: (id: string) => id.endsWith('/packages/editor/src/react/panels/ProductList.tsx') },
];

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    preloadStudio(),
    embedLoader(),
    letterIndex(),
    iconLibrary(),
    prerenderLanding(),
    precompress(),
  ],
  build: {
    // Nothing is inlined: the pages run under a policy that allows scripts, styles and fonts from the site alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // Two entries: the site, and the widget for shops' pages.
    rolldownOptions: {
      input: ['index.html', 'widget.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
  // The tracing worker comes from the site as a module, like every other script.
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(['/api', '/files', '/fonts', '/products/'].map((path) => [path, server])) },
});

/** Preloads the studio's code beside the first script, because most visitors come for the studio. */
function preloadStudio(): Plugin {
  return {
    name: 'preload-studio',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {}, path, chunk: main }) {
        if (path !== '/index.html') return [];
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
        const studio = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/StudioPage.tsx'));
        if (!studio || !main) throw new Error('The studio or the entry is not in the build');
        return [
          studio.fileName,
          ...studio.imports.filter((file) => file !== main.fileName && !main.imports.includes(file)),
        ].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        }));
      },
    },
  };
}

/** Emits the script for shops' pages, `/embed.js`, and its types, at addresses that never change. */
function embedLoader(): Plugin {
  const sources = fileURLToPath(new URL('../../packages/embed/src/', import.meta.url));
  async function bundle(): Promise<string> {
    const result = await build({
      configFile: false,
      logLevel: 'warn',
      build: {
        write: false,
        target: 'es2020',
        lib: { entry: `${sources}loader.ts`, formats: ['iife'], name: 'loader' },
      },
    });
    const [output] = [result].flat();
    if (!output || !('output' in output)) throw new Error('The loader was not built');
    return output.output[0].code;
  }
  return {
    name: 'embed-loader',
    configureServer(server) {
      server.middlewares.use('/embed.js', (_request, response, next) => {
        bundle().then((code) => response.setHeader('content-type', 'text/javascript').end(code), next);
      });
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'embed.js', source: await bundle() });
      this.emitFile({ type: 'asset', fileName: 'embed.d.ts', source: await readFile(`${sources}api.ts`, 'utf8') });
    },
  };
}

/** The modules that say where the index of letters and the library of icons are. */
const LETTER_INDEX = 'virtual:letter-index';
const ICON_LIBRARY = 'virtual:icon-library';

/**
 * Returns what a script makes, and a name for it that changes with its code and with the packages. To make it takes
 * some seconds, so it is kept until then.
 */
async function makeOnce(
  cacheFolder: string,
  script: string,
  make: (exports: Record<string, () => unknown>) => Uint8Array | string,
): Promise<{ readonly bytes: Uint8Array; readonly hash: string }> {
  const folder = `${cacheFolder}/${script}`;
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: `../../scripts/${script}.ts`, outDir: folder, emptyOutDir: false, copyPublicDir: false },
  });
  const lock = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const sum = createHash('sha256');
  for (const source of [`${folder}/${script}.js`, lock]) sum.update(await readFile(source));
  const hash = sum.digest('hex').slice(0, 16);
  const file = `${folder}/${hash}.bin`;
  const existing = await readFile(file).catch(() => undefined);
  if (existing) return { bytes: existing, hash };
  await writeFile(file, make(await import(pathToFileURL(`${folder}/${script}.js`).href)));
  return { bytes: await readFile(file), hash };
}

/**
 * Emits the index of the letters of the bundled fonts as a file of its own, and gives its address to who imports
 * `virtual:letter-index`.
 */
function letterIndex(): Plugin {
  let cacheFolder = '';
  let isServed = false;
  const make = async () =>
    (await makeOnce(cacheFolder, 'letterIndex', ({ makeLetterIndex }) => makeLetterIndex!() as Uint8Array)).bytes;
  return {
    name: 'letter-index',
    configResolved({ cacheDir, command }) {
      cacheFolder = cacheDir;
      isServed = command === 'serve';
    },
    resolveId: (source) => (source === LETTER_INDEX ? `\0${LETTER_INDEX}` : undefined),
    async load(id) {
      if (id !== `\0${LETTER_INDEX}`) return undefined;
      if (isServed) return `export default '/letter-index.bin';`;
      const file = this.emitFile({ type: 'asset', name: 'letters.bin', source: await make() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
    configureServer(server) {
      server.middlewares.use('/letter-index.bin', (_request, response, next) => {
        make().then((bytes) => response.end(bytes), next);
      });
    },
  };
}

/**
 * Emits the index and the slices of the library of icons, and gives the start of their addresses to who imports
 * `virtual:icon-library`.
 */
function iconLibrary(): Plugin {
  let cacheFolder = '';
  let isServed = false;
  async function make(): Promise<{ readonly files: ReadonlyMap<string, string>; readonly hash: string }> {
    const { bytes, hash } = await makeOnce(cacheFolder, 'iconLibrary', ({ makeIconLibrary }) =>
      JSON.stringify(makeIconLibrary!()),
    );
    const { index, slices }: { index: object; slices: string[][] } = JSON.parse(new TextDecoder().decode(bytes));
    const files = new Map(slices.map((slice, i) => [`${i}.json`, JSON.stringify(slice)]));
    return { files: files.set('index.json', JSON.stringify(index)), hash };
  }
  return {
    name: 'icon-library',
    configResolved({ cacheDir, command }) {
      cacheFolder = cacheDir;
      isServed = command === 'serve';
    },
    resolveId: (source) => (source === ICON_LIBRARY ? `\0${ICON_LIBRARY}` : undefined),
    async load(id) {
      if (id !== `\0${ICON_LIBRARY}`) return undefined;
      if (isServed) return `export default '/icon-library/';`;
      const { files, hash } = await make();
      const start = `assets/icons-${hash}-`;
      for (const [name, source] of files) this.emitFile({ type: 'asset', fileName: start + name, source });
      return `export default '/${start}';`;
    },
    configureServer(server) {
      server.middlewares.use('/icon-library/', (request, response, next) => {
        make().then(({ files }) => response.end(files.get(request.url!.slice(1))), next);
      });
    },
  };
}

/**
 * Writes landing.html beside index.html: the page at `/` with its words and pictures in it, and of scripts only the
 * small one that brings the app later. Both are built apart from the app, so that they cut nothing out of its chunks.
 */
function prerenderLanding(): Plugin {
  const apart = { configFile: false, logLevel: 'warn' } as const;
  return {
    name: 'prerender-landing',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    async writeBundle({ dir }, bundle) {
      const app = Object.values(bundle).find(
        (part) => part.type === 'chunk' && part.facadeModuleId?.endsWith('/index.html'),
      );
      const folder = `${dir}/.prerender`;
      await build({
        ...apart,
        plugins: [react()],
        build: {
          ssr: 'src/prerender.tsx',
          outDir: folder,
          assetsInlineLimit: 0,
          // Of the studio, which is not rendered.
          rolldownOptions: { external: [LETTER_INDEX, ICON_LIBRARY] },
        },
      });
      const { prerenderLanding } = await import(pathToFileURL(`${folder}/prerender.js`).href);
      const { title, meta, body } = await prerenderLanding();
      await rm(folder, { recursive: true });

      const result = await build({
        ...apart,
        build: {
          outDir: dir!,
          emptyOutDir: false,
          copyPublicDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: 'src/pages/landing/start.ts',
            output: { entryFileNames: 'assets/landing-[hash].js' },
          },
        },
      });
      const start = 'output' in result ? result.output.find((part) => part.type === 'chunk') : undefined;
      if (!app || !start) throw new Error('The landing page’s scripts are not in the build');

      const files = new Set([app.fileName]);
      for (const file of files) {
        const part = bundle[file];
        if (part?.type === 'chunk') for (const dependency of part.imports) files.add(dependency);
      }
      const appFiles = [...files].map((file) => `/${file}`);
      const shell = await readFile(`${dir}/index.html`, 'utf8');
      const html = shell
        .replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
        .replace(
          /<script[^>]*><\/script>/,
          () => `<script type="module" crossorigin src="/${start.fileName}" data-app="${appFiles.join(' ')}"></script>`,
        )
        .replace(/<title>.*<\/title>/, () => `<title>${title}</title>\n    ${meta}`)
        .replace(/\s*<noscript>.*<\/noscript>/, '')
        .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`);
      await writeFile(`${dir}/landing.html`, html);
    },
  };
}

/** Writes a .br and a .gz beside each asset that gains from it. The server sends the one that the browser accepts. */
function precompress(): Plugin {
  const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const files = Object.keys(bundle).filter((file) => /\.(js|css|svg|bin)$|^assets\/.*\.json$/.test(file));
      await Promise.all(
        files.map(async (file) => {
          const text = await readFile(`${dir}/${file}`);
          // For 6 MB of icons the best quality takes 14 s, and this one 2 s for a seventh more.
          const quality = file.endsWith('.json') ? 9 : constants.BROTLI_MAX_QUALITY;
          const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
          await writeFile(`${dir}/${file}.br`, await toBrotli(text, { params }));
          await writeFile(`${dir}/${file}.gz`, await toGzip(text, { level: 9 }));
        }),
      );
    },
  };
}
