import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the server. */
const server = process.env.API_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    // Nothing is inlined: the pages run under a policy that allows scripts, styles and fonts from the site alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  server: { proxy: Object.fromEntries(['/api', '/files', '/fonts', '/products/'].map((path) => [path, server])) },
});
