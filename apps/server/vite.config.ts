import { defineConfig } from 'vite';

/** Two programs: the server, and the process that does heavy work for it. Packages of the registry stay where they are. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: { main: 'src/main.ts', worker: 'src/media/worker.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { target: 'node', noExternal: [/^@markwright\//] },
});
