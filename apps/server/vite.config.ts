import { defineConfig } from 'vite';

/**
 * Four programs: the server, the operator's command, the process for heavy work, and the process with the neural
 * network. Packages of the registry stay where they are.
 */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    sourcemap: true,
    rollupOptions: {
      input: {
        main: 'src/main.ts',
        markwright: 'src/markwright.ts',
        worker: 'src/media/worker.ts',
        modelWorker: 'src/media/modelWorker.ts',
      },
      // All in one folder, so that a module finds its neighbors at run time.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: { target: 'node', noExternal: [/^@markwright\//] },
});
