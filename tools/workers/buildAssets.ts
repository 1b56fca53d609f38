import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { mcpTools } from '../../functions/gateway/mcp/mcpTools.ts'
import { buildConsole } from './buildConsole.ts'
import { buildLlmsText } from './buildLlmsText.ts'
import { buildQuickStart } from './buildQuickStart.ts'
import { toMarkdown } from './toMarkdown.ts'

const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'LICENSE', 'NOTICE']
/** Of the console, whose look the API reference shares. */
const fontFile = 'geist-latin-wght-normal.woff2'
/** Vite's own files. */
const unserved = /^\.vite\//

/**
 * Collects the gateway's pages in the folder of its wrangler.toml: `docs/`, a page around Swagger UI's package in the
 * look of the console with the Markdown of all others, and `console/`, which is built first. Existing files are not rewritten, so several stacks may
 * start at once; files of earlier consoles are removed.
 * @param root folder with functions/ and console/
 * @param folder of the assets
 * @throws Error with the bundler's message
 */
export const buildAssets = async (root: string, folder: string): Promise<void> => {
  const [docs, pages] = await Promise.all([listDocs(root), listConsole(root)])
  const wanted = new Map([...docs, ...pages])
  // the page last: the files that it names exist by then
  const [html, others] = partition([...wanted], ([to]) => to.endsWith('.html'))
  for (const some of [others, html]) {
    await Promise.all(some.map(([to, from]) => writeChanged(from, join(folder, to), folder)))
  }
  await removeStale(folder, wanted)
}

/** Longer than the start of a stack with other sources, whose files must stay until its page is written. */
const staleAfterMs = 60_000

const removeStale = async (folder: string, wanted: ReadonlyMap<string, Source>): Promise<void> => {
  const others = (await listFiles(join(folder, 'console'))).filter((file) => !wanted.has(join('console', file)))
  for (const file of others) {
    const path = join(folder, 'console', file)
    const written = await stat(path).catch(() => undefined)
    if (written && Date.now() - written.mtimeMs > staleAfterMs) await rm(path, { force: true })
  }
}

/** The path of a source, or a text that is made of others. */
type Source = string | { text: string }

/** Target path → source of each file. */
type Copies = (readonly [to: string, from: Source])[]

const listDocs = async (root: string): Promise<Copies> => {
  const own = join(root, 'functions/gateway/docs')
  const { resolve } = createRequire(import.meta.url)
  const page = await buildQuickStart(root)
  const swagger = dirname(resolve('swagger-ui-dist/package.json'))
  return [
    ...(await readdir(own)).map((name) => [join('docs', name), join(own, name)] as const),
    ['docs/index.html', { text: page }],
    ...swaggerFiles.map((name) => [join('docs', name), join(swagger, name)] as const),
    ...(await listMarkdown(root, page)),
    ['docs/tokens.css', join(root, 'console/styles/tokens.css')],
    [join('docs', fontFile), resolve(`@fontsource-variable/geist/files/${fontFile}`)],
  ]
}

/** Every page of the documentation as Markdown, and their index for language models. */
const listMarkdown = async (root: string, quickStart: string): Promise<Copies> => {
  const names = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort()
  const written = names.map(async (name) => ({ name, text: await readFile(join(root, 'docs', name), 'utf8') }))
  const first = { name: 'quick-start.md', text: toMarkdown(quickStart) }
  const pages = [first, ...(await Promise.all(written))]
  const texts = [...pages, { name: 'llms.txt', text: buildLlmsText(pages, mcpTools) }]
  return texts.map(({ name, text }) => [join('docs', name), { text }] as const)
}

const listConsole = async (root: string): Promise<Copies> => {
  const built = await buildConsole(root)
  const files = (await listFiles(built)).filter((file) => !unserved.test(file))
  return files.map((file) => [join('console', file), join(built, file)] as const)
}

/** All files below a folder, as relative paths; none when it does not exist. */
const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isFile() ? relative(folder, join(entry.parentPath, entry.name)) : []))
}

const partition = <T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
]

/** Written beside the folder first, so that no reader sees an incomplete file. */
const writeChanged = async (from: Source, to: string, folder: string): Promise<void> => {
  const source = typeof from === 'string' ? readFile(from) : Buffer.from(from.text)
  const [wanted, there] = await Promise.all([source, readFile(to).catch(() => undefined)])
  if (there?.equals(wanted)) return
  const draft = `${folder}.${randomUUID()}`
  await mkdir(dirname(to), { recursive: true })
  await writeFile(draft, wanted)
  await rename(draft, to)
}
