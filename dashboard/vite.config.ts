import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the page works under whatever path the server mounts it.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would need data: in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 250,
  },
  worker: { format: 'es' },
});
