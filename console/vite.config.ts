import { appendFile, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** `npm run console` serves the sources, in front of a stack at this address. */
const stack = process.env.STACK_URL ?? 'http://127.0.0.1:8787'

/** Paths served by the stack. No file of the console matches: `/styles/tokens.css` is not the path of a token. */
const api = [
  '^/(openapi|status)\\.json$',
  '^/(healthz|readyz|limits|streams)$',
  '^/docs',
  '^/local/',
  '^/[^/]+/(api|restricted|accounts|tokens|markets|simulation|yield)/',
  '^/[^/]+/markets$',
  '^/[^/]+/status\\.json$',
  '^/(accounts/[^/]+|affiliate|notifications|ref-codes|subscriptions)/.',
]

const font = '@fontsource-variable/geist'

/** The licence of the font, after those of the bundled scripts: the bundler lists scripts only. */
const appendFontLicence = (): Plugin => ({
  name: 'font-licence',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const licence = await readFile(createRequire(import.meta.url).resolve(`${font}/LICENSE`), 'utf8')
    await appendFile(join(dir, 'assets/licenses.md'), `\n## ${font} (OFL-1.1)\n\n${licence}`)
  },
})

/** The font loads beside the first script: text drawn before it has the font of the system until the next page. */
const preloadFont = (): Plugin => ({
  name: 'font-preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const file = Object.keys(bundle).find((name) => name.endsWith('.woff2'))
      if (file === undefined) throw new Error('the build has no font')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
})

export default defineConfig({
  root: import.meta.dirname,
  plugins: [appendFontLicence(), preloadFont()],
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
