import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPort } from '../../stack/processes/findPort.ts'
import { startReaper } from '../../stack/processes/startReaper.ts'
import { waitUntil } from '../../stack/processes/waitUntil.ts'
import { buildWorkerdConfig } from './buildWorkerdConfig.ts'
import { collectHeaps } from './collectHeaps.ts'
import { startWorkerd } from './startWorkerd.ts'

const mebibyte = 2 ** 20

/** `/kept` stores a million numbers of eight bytes for good, `/dropped` only for the request. */
const code = `const kept = []
export default {
  fetch: (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/') return new Response()
    const numbers = Array.from({ length: 2 ** 20 }, (_, index) => index + 0.5)
    if (pathname === '/kept') kept.push(numbers)
    return new Response(String(numbers.length))
  },
}`

test('reports memory that a Worker retains, not memory that it releases', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const reaper = startReaper()
  onTestFinished(reaper.close)
  const main = join(dir, 'keeper.js')
  await writeFile(main, code)
  const ports = { keeper: await findPort(0, 'PORT') }
  const inspectorPort = await findPort(0, 'PORT')
  const workers = [{ name: 'keeper', main, compatibility_date: '2026-10-01' }]
  const group = await startWorkerd({
    name: 'keeper',
    dir,
    inspectorPort,
    buildConfig: (file, storage) => buildWorkerdConfig({ workers, ports, elsewhere: {}, storage }, file),
    reaper,
  })
  onTestFinished(() => group.kill())
  const requestPath = async (path: string) => (await fetch(`http://127.0.0.1:${ports.keeper}${path}`)).ok
  const readHeap = async () => (await collectHeaps(inspectorPort, ports)).keeper?.live ?? 0
  await waitUntil('the Worker answers', () => requestPath('/dropped'), { timeoutMs: 30_000, ended: group.ended })

  const first = await readHeap()
  for (let i = 0; i < 3; i += 1) await requestPath('/dropped')
  expect(Math.abs((await readHeap()) - first)).toBeLessThan(mebibyte)
  for (let i = 0; i < 3; i += 1) await requestPath('/kept')
  const grown = (await readHeap()) - first
  expect(grown).toBeGreaterThan(23 * mebibyte)
  expect(grown).toBeLessThan(28 * mebibyte)
})
