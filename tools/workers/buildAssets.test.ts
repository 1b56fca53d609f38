import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildAssets } from './buildAssets.ts'

const root = join(import.meta.dirname, '../..')
let dir: string
let folder: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assets-'))
  folder = join(dir, 'assets')
})
afterEach(() => rm(dir, { recursive: true }))

const list = async () => (await readdir(folder, { recursive: true })).sort()

test('contains the API reference and the console, and no bundler files', { timeout: 120_000 }, async () => {
  await buildAssets(root, folder)
  const files = await list()
  const pages = ['docs/index.html', 'docs/swagger-ui.css', 'docs/tokens.css', 'docs/snippets.js', 'console/index.html']
  for (const file of [...pages, 'docs/geist-latin-wght-normal.woff2', 'console/icon.svg']) expect(files).toContain(file)
  expect(files.some((file) => /^console\/assets\/index-[\w-]{8}\.js$/.test(file))).toBe(true)
  const llms = await readFile(join(folder, 'docs/llms.txt'), 'utf8')
  const linked = [...llms.matchAll(/\(\/docs\/([\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`)
  expect(linked).toEqual(expect.arrayContaining(['docs/quick-start.md', 'docs/api.md', 'docs/solvers.md']))
  expect(linked.sort()).toEqual(files.filter((file) => file.endsWith('.md') && file.startsWith('docs/')))
  const quickStart = await readFile(join(folder, 'docs/quick-start.md'), 'utf8')
  expect(quickStart).toMatch(/^# Quick start\n\n.*```ts\nimport .*```sh\nAPI=http/s)
  expect(quickStart.replace(/```.*?```/gs, '')).not.toMatch(/<\/?\w+>|&\w+;/)
  expect(files.filter((file) => file.includes('.vite'))).toEqual([])
  expect(await readdir(dir)).toEqual(['assets'])
})

test('removes files of earlier consoles and retains current ones, also in parallel', {
  timeout: 120_000,
}, async () => {
  await mkdir(join(folder, 'console/assets'), { recursive: true })
  for (const name of ['assets/index-OLD12345.js', 'assets/index-NEW12345.js', 'index.html'])
    await writeFile(join(folder, 'console', name), 'old')
  await utimes(join(folder, 'console/assets/index-OLD12345.js'), 1, 1)
  await Promise.all([buildAssets(root, folder), buildAssets(root, folder)])
  const files = await list()
  expect(files).not.toContain('console/assets/index-OLD12345.js')
  // may belong to a concurrent start whose page is not written yet
  expect(files).toContain('console/assets/index-NEW12345.js')
  const page = join(folder, 'console/index.html')
  const { mtimeMs, size } = await stat(page)
  expect(size).toBeGreaterThan(3)
  await buildAssets(root, folder)
  expect((await stat(page)).mtimeMs).toBe(mtimeMs)
  expect(await list()).toEqual(files)
})
