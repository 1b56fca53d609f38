import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { openEmptyBackend } from '#test/helpers/database/server/openEmptyBackend.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { applyMigrations } from '../stack/applyMigrations.ts'
import { databaseEndpoint } from '../stack/databaseEndpoint.ts'
import { stackInfoFile } from '../stack/stackInfo.ts'
import { checkChain } from './checkChain.ts'
import { checkContracts } from './checkContracts.ts'
import { checkMainnet } from './checkMainnet.ts'
import { checkSolvers } from './checkSolvers.ts'
import { checkVapid } from './checkVapid.ts'
import { diagnose } from './diagnose.ts'
import { diagnoseDatabase } from './diagnoseDatabase.ts'
import type { DoctorFinding } from './finding.ts'
import { readLocalTarget } from './readLocalTarget.ts'
import { toLines } from './toLines.ts'

const network = networks.sepolia
/** Without a listener. */
const nowhere = 'http://127.0.0.1:9'

let chain: SettlementChain
let database: TestDatabase

beforeAll(async () => {
  ;[chain, database] = await Promise.all([startSettlementChain(), startTestDatabase()])
}, 120_000)

afterAll(async () => {
  await Promise.all([chain.stop(), database.close()])
})

// the chain mines no blocks on its own, and its head must not be old
beforeEach(() => chain.mine(1))

const find = (findings: DoctorFinding[], name: string): DoctorFinding | undefined =>
  findings.find((each) => each.name === name)

describe('the node', () => {
  test('of the local chain has every method that the Workers use', async () => {
    const { isRight, findings } = await checkChain(chain.rpcUrl, network)
    expect(isRight).toBe(true)
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['chain id', 'head', 'eth_simulateV1', 'eth_getLogs']),
    )
  })

  test('may be several, each checked', async () => {
    const rpcUrl = `${chain.rpcUrl}, http://127.0.0.1:9/second`
    const findings = await diagnose('sepolia', { databaseUrls: [], rpcUrl, solvers: [], settings: {} })
    expect(find(findings, 'chain id')?.state).toBe('ok')
    expect(find(findings, 'node, node 2')?.state).toBe('wrong')
  })

  test('of another network is wrong and is not checked further', async () => {
    const { isRight, findings } = await checkChain(chain.rpcUrl, networks.gnosis)
    expect(isRight).toBe(false)
    expect(findings).toEqual([
      expect.objectContaining({ state: 'wrong', name: 'chain id', detail: '11155111, expected 100' }),
    ])
    expect(await checkMainnet(chain.rpcUrl)).toEqual([
      expect.objectContaining({ state: 'wrong', detail: 'chain id 11155111, expected 1' }),
    ])
  })

  test('with a head in the past or future is wrong', async () => {
    const at = async (seconds: number) =>
      find((await checkChain(chain.rpcUrl, network, () => Date.now() + seconds * 1_000)).findings, 'head')
    expect(await at(3_600)).toMatchObject({ state: 'wrong', detail: expect.stringMatching(/36\d\d s old/) })
    expect(await at(-3_600)).toMatchObject({ state: 'wrong', detail: expect.stringContaining('in the future') })
  })

  test('that is unreachable is reported by its host, without its URL', async () => {
    const { isRight, findings } = await checkChain(`${nowhere}/node-key`, network)
    expect(isRight).toBe(false)
    const detail = expect.stringContaining('127.0.0.1:9')
    expect(findings).toEqual([expect.objectContaining({ state: 'wrong', name: 'node', detail })])
    expect(JSON.stringify(findings)).not.toContain('node-key')
  })

  test('without a method is wrong for a required one and limited for an optional one', async () => {
    const missing = ['eth_simulateV1', 'eth_getBlockReceipts']
    const node = await startPartialNode(chain.rpcUrl, missing)
    const { findings } = await checkChain(node.url, network)
    await node.close()
    expect(find(findings, 'eth_simulateV1')).toMatchObject({ state: 'wrong' })
    expect(find(findings, 'eth_getBlockReceipts')).toMatchObject({
      state: 'limited',
      detail: expect.stringContaining('bloom'),
    })
    expect(findings.filter(({ state }) => state !== 'ok')).toHaveLength(missing.length)
  })
})

describe('contracts', () => {
  test('are ok when present; missing ones are reported with the loss', async () => {
    const findings = await checkContracts(chain.rpcUrl, network)
    for (const name of ['settlement contract', 'vault relayer', 'multicall3', 'hooks trampoline', 'signing domain'])
      expect(find(findings, name), name).toMatchObject({ state: 'ok' })
    expect(find(findings, 'Uniswap V2 factory')).toMatchObject({
      state: 'limited',
      detail: expect.stringContaining('no V2 pools'),
    })
    expect(findings.filter(({ state }) => state === 'wrong')).toEqual([])
  })

  test('compares the decimals of the dollar token with the entry', async () => {
    const { address, decimals } = network.usdReference
    const check = async (usdReference: typeof network.usdReference) =>
      find(await checkContracts(chain.rpcUrl, { ...network, usdReference }), 'dollar token')
    expect(await check(network.usdReference)).toMatchObject({ state: 'ok' })
    const detail = `${address} has ${decimals} decimals, the entry 18`
    expect(await check({ address, decimals: 18 })).toMatchObject({ state: 'wrong', detail })
    expect(await check({ address: chain.owner, decimals })).toMatchObject({ state: 'limited' })
  })

  test('rejects a settlement contract at another address or with another domain', async () => {
    const elsewhere = { ...network, settlementContract: chain.owner }
    const findings = await checkContracts(chain.rpcUrl, elsewhere)
    expect(find(findings, 'settlement contract')).toMatchObject({
      state: 'wrong',
      remedy: expect.stringContaining('CONTRACTS'),
    })
    expect(find(findings, 'signing domain')).toBeUndefined()
    const undeployed = { ...network, settlementContract: zeroAddress, wrappedNative: chain.owner }
    const lacks = await checkContracts(chain.rpcUrl, undeployed)
    expect(find(lacks, 'settlement contract')).toMatchObject({
      ...{ state: 'wrong', detail: 'has no address' },
      remedy: expect.stringContaining('npm run contracts'),
    })
    expect(find(lacks, 'wrapped native token')?.remedy).toMatch(/network's entry/)
    const other = { ...network, vaultRelayer: network.wrappedNative }
    expect(find(await checkContracts(chain.rpcUrl, other), "settlement contract's relayer")).toMatchObject({
      state: 'wrong',
    })
  })
})

test('checks permission, gas and driver of each solver', async () => {
  const driver = await startPartialNode(chain.rpcUrl, [])
  const stranger = '0x00000000000000000000000000000000000000aa'
  const findings = await checkSolvers(chain.rpcUrl, network, [
    { name: 'own', address: chain.solver },
    { name: 'there', address: chain.solver, url: driver.url },
    { name: 'gone', address: stranger, url: nowhere },
  ])
  await driver.close()
  const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]))
  expect(states).toEqual({
    'solver own may settle': 'ok',
    'solver own can pay gas': 'ok',
    'solver there may settle': 'ok',
    'solver there can pay gas': 'ok',
    'solver there answers': 'ok',
    'solver gone may settle': 'wrong',
    'solver gone can pay gas': 'wrong',
    'solver gone answers': 'wrong',
  })
  expect(find(findings, 'solver gone may settle')?.remedy).toContain('addSolver')
  expect(await checkSolvers(chain.rpcUrl, network, [])).toEqual([expect.objectContaining({ state: 'wrong' })])
})

describe('the database', () => {
  test('with all migrations is ok', async () => {
    const [version, ...others] = await diagnoseDatabase(database.databaseUrl)
    expect(version?.detail).toMatch(/^Postgres \d\d$/)
    expect(others.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
  })

  test('restored from another cluster is reported until its migrations run again', { timeout: 60_000 }, async () => {
    const backend = await openEmptyBackend()
    const endpoint = await databaseEndpoint({ backend, port: 0 })
    await applyMigrations(endpoint.databaseUrl)
    await backend.run({
      query: `insert into order_events (chain_id, order_uid, key, label, written_by) values (1, 'a', 'a', 'created', '9000000000')`,
      params: [],
    })
    const before = await diagnoseDatabase(endpoint.databaseUrl)
    await applyMigrations(endpoint.databaseUrl)
    const after = await diagnoseDatabase(endpoint.databaseUrl)
    await endpoint.close()
    await backend.close()
    expect(before[2]).toMatchObject({ state: 'wrong', detail: expect.stringContaining('another cluster') })
    expect(after[2]).toMatchObject({ state: 'ok' })
  })

  test('without tables has pending migrations, and a wrong clock is reported; nothing is changed', {
    timeout: 60_000,
  }, async () => {
    const backend = await openEmptyBackend()
    const endpoint = await databaseEndpoint({ backend, port: 0 })
    const findings = await diagnoseDatabase(endpoint.databaseUrl, { now: () => Date.now() + 120_000 })
    const ofDeployment = await diagnoseDatabase(endpoint.databaseUrl, { migrates: true })
    const { rows } = await backend.run({ query: `select 1 from pg_namespace where nspname = 'drizzle'`, params: [] })
    await endpoint.close()
    await backend.close()
    expect(findings.slice(1).map(({ state }) => state)).toEqual(['wrong', 'wrong'])
    expect(ofDeployment[2]).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^0000_.* pending$/) })
    expect(findings[2]).toMatchObject({
      detail: expect.stringMatching(/^0000_.* pending$/),
      remedy: expect.stringContaining('npm run deploy'),
    })
    expect(rows).toEqual([])
  })

  test('that is unreachable is reported without its password', async () => {
    const findings = await diagnoseDatabase('postgres://user:hunter2@127.0.0.1:9/edgebook')
    expect(findings).toEqual([
      expect.objectContaining({ state: 'wrong', remedy: expect.stringContaining('DATABASE_URL') }),
    ])
    expect(JSON.stringify(findings)).not.toContain('hunter2')
  })
})

test('rejects web push keys that do not match', () => {
  // the example of RFC 8291, appendix A
  const VAPID_PRIVATE_KEY = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'
  const VAPID_PUBLIC_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  const check = (settings: Record<string, string>) => checkVapid(settings).map(({ state }) => state)
  expect(check({})).toEqual([])
  expect(check({ VAPID_PUBLIC_KEY })).toEqual(['wrong'])
  expect(check({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: 'AAAA' })).toEqual(['wrong'])
  expect(check({ VAPID_PUBLIC_KEY: `${VAPID_PUBLIC_KEY.slice(0, -1)}5`, VAPID_PRIVATE_KEY })).toEqual(['wrong'])
})

test('a full diagnosis checks everything, and nothing behind a wrong node', async () => {
  const target = {
    databaseUrls: [database.databaseUrl],
    solvers: [{ name: 'own', address: chain.solver }],
    settings: {},
  }
  const whole = await diagnose('sepolia', { ...target, rpcUrl: chain.rpcUrl })
  expect(whole.filter(({ state }) => state === 'wrong')).toEqual([])
  expect(find(whole, 'solver own may settle')).toBeDefined()
  const other = await diagnose('base', { ...target, rpcUrl: chain.rpcUrl })
  expect(other.filter(({ state }) => state === 'wrong').map(({ name }) => name)).toEqual(['chain id'])
  expect(find(other, 'solver own may settle')).toBeUndefined()
})

test('finds a local stack by its folder', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-doctor-'))
  await writeFile(
    stackInfoFile(dir),
    JSON.stringify({
      network: 'sepolia',
      databaseUrl: database.databaseUrl,
      rpcUrl: chain.rpcUrl,
      solvers: [{ name: 'own', address: chain.solver }],
    }),
  )
  const findings = await diagnose('sepolia', readLocalTarget(dir, 'sepolia'))
  expect(findings.filter(({ state }) => state === 'wrong')).toEqual([])
  expect(toLines([...findings, { state: 'wrong', name: 'a', detail: 'b', remedy: 'c' }]).slice(-2)).toEqual([
    'WRONG   a: b',
    '          → c',
  ])
  expect(() => readLocalTarget(dir, 'gnosis')).toThrow('serves sepolia, not gnosis')
  await rm(dir, { recursive: true })
  expect(() => readLocalTarget(dir, 'sepolia')).toThrow('npm start')
})

/** A node in front of another one that lacks some methods. */
const startPartialNode = async (rpcUrl: string, missing: readonly string[]) => {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method } = body ? (JSON.parse(body) as { id: number; method: string }) : { id: 0, method: '' }
    response.setHeader('Content-Type', 'application/json')
    if (missing.includes(method))
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }))
    if (!body) return response.writeHead(404).end('{}')
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
