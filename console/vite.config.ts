import { defineConfig } from 'vite'

/** `npm run console` serves the sources, in front of a stack at this address. */
const stack = process.env.STACK_URL ?? 'http://127.0.0.1:8787'

/** Paths served by the stack. No file of the console matches: `/styles/tokens.css` is not the path of a token. */
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
    // for the test of page sizes; not deployed
    manifest: true,
    // the licences of bundled packages require their text
    license: { fileName: 'assets/licenses.md' },
    // the Content-Security-Policy allows inline images only
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // with this server's host name, which is the origin of the page
      ...Object.fromEntries(api.map((path) => [path, { target: stack }])),
      // a page for browsers, the index for programs
      '^/$': {
        target: stack,
        bypass: ({ headers }) => (headers.accept?.includes('text/html') ? '/index.html' : undefined),
      },
    },
  },
})
