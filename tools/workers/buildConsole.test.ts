import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { devAccounts, devMnemonic } from '../stack/chain/devAccounts.ts'
import { sinkSettings } from '../stack/sinks/sinkSettings.ts'
import { buildConsole } from './buildConsole.ts'

const root = join(import.meta.dirname, '../..')
/** Load of a visitor who opens a link. */
const maxFirstPageBytes = 130 * 1024

type Chunk = { file: string; imports?: string[]; css?: string[]; assets?: string[]; dynamicImports?: string[] }

let folder: string
let manifest: Record<string, Chunk>
/** by name */
let texts: Map<string, string>
/** gzip; fonts are compressed already */
let sizes: Map<string, number>

beforeAll(async () => {
  folder = await buildConsole(root)
  manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
  const names = ['index.html', ...(await readdir(join(folder, 'assets'))).map((name) => `assets/${name}`)]
  texts = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
  sizes = new Map(
    await Promise.all(
      names.map(async (name) => {
        const bytes = await readFile(join(folder, name))
        return [name, name.endsWith('.woff2') ? bytes.byteLength : gzipSync(bytes).byteLength] as const
      }),
    ),
  )
}, 120_000)

/** Files that a chunk needs: itself, its styles and their fonts, and those of its imports. */
const collectFiles = (entry: string, files = new Set<string>()): Set<string> => {
  const { file, css = [], assets = [], imports = [] } = manifest[entry] ?? { file: '' }
  if (files.has(file)) return files
  for (const each of [file, ...css, ...assets]) files.add(each)
  for (const each of imports) collectFiles(each, files)
  return files
}

const entry = 'index.html'
const pages = () => manifest[entry]?.dynamicImports ?? []

test('loads less than 130 KiB for any first page, its font included', () => {
  expect(pages()).toContain('trade/TradePage.tsx')
  expect([...collectFiles(entry)].filter((file) => file.endsWith('.woff2'))).toHaveLength(1)
  for (const page of pages()) {
    const files = ['index.html', ...collectFiles(page, collectFiles(entry))]
    const bytes = files.reduce((sum, file) => sum + (sizes.get(file) ?? Number.NaN), 0)
    expect(bytes, `${page}: ${files.join(' ')}`).toBeLessThan(maxFirstPageBytes)
    expect(bytes, page).toBeGreaterThan(10_000)
  }
})

test('contains no key or secret of a local stack', () => {
  const { vapid, emailApiKey, telegramBotToken, telegramWebhookSecret } = sinkSettings
  const keys = devAccounts.map(({ privateKey }) => privateKey.slice(2))
  const secrets = [...keys, devMnemonic, vapid.privateKey, emailApiKey, telegramBotToken, telegramWebhookSecret]
  for (const [name, text] of texts)
    for (const secret of secrets) expect(text.toLowerCase().includes(secret.toLowerCase()), name).toBe(false)
})

/** URLs that are never requested: namespaces, the application of Safes as a link, and links in error messages of packages. */
const mentioned = [
  'https://app.safe.global',
  'http://www.w3.org',
  'https://abitype.dev',
  'https://docs.soliditylang.org',
  'https://github.com',
  'https://viem.sh',
]

test('names no other origin to request', () => {
  const found = [...texts].flatMap(([name, text]) =>
    name.endsWith('.md') ? [] : [...text.matchAll(/(?:https?|wss?):\/\/[\w.-]+/g)].map(([origin]) => origin),
  )
  expect(found.filter((origin) => !mentioned.includes(origin))).toEqual([])
})

test('needs nothing that its Content-Security-Policy forbids', () => {
  const page = texts.get('index.html') ?? ''
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc="\/assets\/)/)
  for (const [name, text] of texts)
    if (name.endsWith('.js')) expect(text, name).not.toMatch(/\beval\(|\bnew Function\b/)
})

test('contains the licences of its packages, and its icon', async () => {
  const licences = texts.get('assets/licenses.md') ?? ''
  for (const name of ['preact', 'viem', 'uplot', '@fontsource-variable/geist']) expect(licences).toContain(`## ${name}`)
  expect(texts.get('index.html')).toContain('href="/icon.svg"')
  expect(await readFile(join(folder, 'icon.svg'), 'utf8')).toContain('<svg')
})
