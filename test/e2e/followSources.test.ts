import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followSources } from '#tools/stack/followSources.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { buildWorkers } from '#tools/workers/buildWorkers.ts'

const repository = join(import.meta.dirname, '../..')

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'edgebook-'))
})
afterEach(() => rm(root, { recursive: true }))

/** The sources without the pages, which take longer to build. */
const copySources = async (): Promise<void> => {
  for (const path of ['functions', 'shared', 'schema', 'package.json', 'package-lock.json'])
    await cp(join(repository, path), join(root, path), { recursive: true })
  const config = await readFile(join(repository, 'wrangler.toml'), 'utf8')
  await writeFile(join(root, 'wrangler.toml'), config.replace(/^\[assets\]\n[^[]*/m, ''))
  // a folder of its own: builds are cached in it
  await mkdir(join(root, 'node_modules'))
  const packages = (await readdir(join(repository, 'node_modules'))).filter((name) => name !== '.cache')
  await Promise.all(
    packages.map((name) => symlink(join(repository, 'node_modules', name), join(root, 'node_modules', name))),
  )
}

test('a change restarts the Workers from new bundles, and one that does not build leaves them as they are', async () => {
  await copySources()
  const source = join(root, 'functions/orders/getVersion.ts')
  const lines: string[] = []
  const restarts: string[] = []
  const stop = followSources(root, {
    built: {} as Awaited<ReturnType<typeof buildWorkers>>,
    restart: async ({ orders }) => void restarts.push(await readFile(orders.main, 'utf8')),
    log: (line) => lines.push(line),
  })
  try {
    await appendFile(source, 'not a statement\n')
    await waitUntil('a failed build', async () => lines.length > 0, { timeoutMs: 30_000 })
    expect(lines[0]).toMatch(/^workers: the former ones keep running: .*\n\S*\/getVersion\.ts:\d+:\d+: ERROR:/)
    expect(restarts).toEqual([])

    const text = await readFile(join(repository, 'functions/orders/getVersion.ts'), 'utf8')
    await writeFile(source, text.replace("'Read the version'", "'Read the newest version'"))
    await waitUntil('a restart', async () => restarts.length > 0, { timeoutMs: 30_000 })
    expect(restarts[0]).toContain('Read the newest version')
    await waitUntil('its line', async () => lines.length > 1, { timeoutMs: 5_000 })
    expect(lines.slice(1)).toEqual(['workers: built again'])
  } finally {
    stop()
  }
})
