import { defineConfig } from 'vite'

/** `npm run console` serves the sources, in front of a stack at this address. */
const stack = process.env.STACK_URL ?? 'http://127.0.0.1:8787'

/** What the stack answers. No file of the console has such a path: `/styles/tokens.css` is no path of a token. */
const api = [
  '^/(openapi|status)\\.json$',
  '^/(healthz|readyz|limits)$',
  '^/docs',
  '^/local/',
  '^/[^/]+/(api|restricted|accounts|tokens|markets|simulation|yield)/',
  '^/[^/]+/status\\.json$',
  '^/(accounts/[^/]+|affiliate|notifications|ref-codes|subscriptions)/.',
]

export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2023',
    // for the test of what a page loads; not deployed
    manifest: true,
    // the packages in it want their licences to go with them
    license: { fileName: 'assets/licenses.md' },
    // the Content-Security-Policy lets nothing inline through but images
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // under this server's own name, which is the origin of the page that asks
      ...Object.fromEntries(api.map((path) => [path, { target: stack }])),
      // a page for browsers, the index for programs
      '^/$': {
        target: stack,
        bypass: ({ headers }) => (headers.accept?.includes('text/html') ? '/index.html' : undefined),
      },
    },
  },
})
