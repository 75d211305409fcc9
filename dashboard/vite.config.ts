import { defineConfig } from 'vite';
import { withLicences } from '../scripts/with-licences.ts';

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
    chunkSizeWarningLimit: 400,
  },
  worker: { format: 'es' },
  // Fonts are copied by their style sheet and are no modules.
  plugins: [withLicences('licences.txt', ['@fontsource-variable/inter', '@fontsource-variable/newsreader'])],
});
