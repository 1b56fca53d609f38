import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOrderCreation } from '#test/helpers/orders/signOrderCreation.ts'
import { startWorkerd } from '#tools/bench/workerd/startWorkerd.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { type Reaper, startReaper } from '#tools/stack/processes/startReaper.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { buildWorkerdConfig } from '#tools/workerd/buildWorkerdConfig.ts'
import { bundleWorkers } from '#tools/workers/bundleWorkers.ts'
import { findWasmModules } from '#tools/workers/findWasmModules.ts'
import { readWorkerConfigs } from '#tools/workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '#tools/workers/workerConfig.ts'

const [owner, stranger] = devAccounts
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
const fallback = 'signers are recovered in JavaScript'

let dir: string
let reaper: Reaper
let config: WorkerConfig

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
  reaper = startReaper()
  const { orders } = await readWorkerConfigs(join(import.meta.dirname, '../..'))
  const { name, compatibility_date, compatibility_flags } = orders
  const bundles = await bundleWorkers({ orders: orders.main }, dir)
  config = { name, compatibility_date, compatibility_flags, main: bundles.orders }
})
afterAll(async () => {
  reaper.close()
  await rm(dir, { recursive: true, force: true })
})

/** Posts an order of `owner` in the name of `stranger` to the bundle in a workerd: no check before it needs a database. */
const postForeignOrder = async (name: string) => {
  const port = await findPort(0, 'PORT')
  const vars = {
    NETWORK: 'sepolia',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:9/none',
    RPC_URL: 'http://127.0.0.1:9',
    SOLVERS: '[]',
  }
  const worker = { ...config, vars, services: [{ binding: 'AUCTIONS', service: 'auctions' }] }
  const plan = { workers: [worker], sockets: { [config.name]: `127.0.0.1:${port}` }, elsewhere: { auctions: 9 } }
  const buildConfig = (file: string, storage: string) => buildWorkerdConfig({ ...plan, storage }, file)
  const workerd = await startWorkerd({ name, dir, buildConfig, reaper })
  try {
    const url = `http://127.0.0.1:${port}`
    const isReady = async () => (await fetch(`${url}/healthz`)).ok
    await waitUntil('the Worker responds', isReady, { timeoutMs: 30_000, ended: workerd.ended })
    const order = await signOrderCreation({ validTo: Math.floor(Date.now() / 1_000) + 600 })
    const response = await fetch(`${url}/api/v1/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...order, from: stranger.address }),
    })
    return { body: await response.json(), log: await readFile(join(dir, name, 'output.log'), 'utf8') }
  } finally {
    await workerd.kill()
  }
}

const refused = {
  errorType: 'InvalidSignature',
  data: { signer: owner.address.toLowerCase(), expected: stranger.address.toLowerCase() },
}

test('recovers signers by WebAssembly in workerd, and in JavaScript when the module cannot be used', async () => {
  const byWasm = await postForeignOrder('wasm')
  expect(byWasm.body).toMatchObject(refused)
  expect(byWasm.log).not.toContain(fallback)

  const [module = ''] = findWasmModules(config.main)
  await writeFile(join(dirname(config.main), module), emptyModule)
  const inJavaScript = await postForeignOrder('javascript')
  expect(inJavaScript.body).toMatchObject(refused)
  expect(inJavaScript.log).toContain(fallback)
})
