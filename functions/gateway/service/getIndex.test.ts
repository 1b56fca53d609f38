import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { getIndex, type ServiceIndexDeps } from './getIndex.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const findAsset = async (path: string) => new Response(path, { headers: { 'Content-Type': 'text/html', ETag: '"1"' } })

const send = (headers: Record<string, string> = {}, deps: Partial<ServiceIndexDeps> = {}) =>
  getIndex({
    ...{ workers: { sepolia: {}, base: {} }, version: '1', publicRpcUrls: new Map(), localChains: {}, findAsset },
    ...deps,
  }).request('/', { headers })

type Index = { networks: Record<string, unknown>[] }

test('describes a network with the fields that a client needs', async () => {
  const { networks: served } = (await (await send()).json()) as Index
  expect(served.map(({ name }) => name)).toEqual(['sepolia', 'base'])
  expect(served[0]).toEqual({
    name: 'sepolia',
    label: 'Sepolia',
    chainId: 11_155_111,
    path: '/sepolia/api/v1',
    nativeSymbol: 'ETH',
    wrappedNative: networks.sepolia.wrappedNative,
    settlementContract: networks.sepolia.settlementContract,
    vaultRelayer: networks.sepolia.vaultRelayer,
    hooksTrampoline: networks.sepolia.hooksTrampoline,
    ethFlow: networks.sepolia.ethFlow,
    composableCow: networks.sepolia.composableCow,
    publicRpcUrl: null,
    explorerUrl: 'https://sepolia.etherscan.io',
    blockTimeSeconds: 12,
    localWallet: null,
  })
})

test('publishes the node for wallets of the networks that have one', async () => {
  const publicRpcUrls = new Map([['base', 'https://base.example'] as const])
  const { networks: served } = (await (await send({}, { publicRpcUrls })).json()) as Index
  expect(served.map(({ publicRpcUrl }) => publicRpcUrl)).toEqual([null, 'https://base.example'])
})

test('a local chain has a wallet, and no block explorer', async () => {
  const response = await send({}, { localChains: { sepolia: 'http://127.0.0.1:8545' } })
  const { networks: served } = (await response.json()) as Index
  expect(served).toMatchObject([
    { name: 'sepolia', explorerUrl: null, localWallet: '/local/sepolia/rpc' },
    { name: 'base', explorerUrl: 'https://basescan.org', localWallet: null },
  ])
})

test('browsers get the page, other clients the index, with Vary: Accept', async () => {
  const page = await send({ Accept: browser })
  expect(page.headers.get('Content-Type')).toBe('text/html')
  expect(await page.text()).toBe('/console/index.html')
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }] as Record<string, string>[]) {
    const index = await send(headers)
    expect(index.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(index.headers.get('Vary')).toBe('Accept')
  }
  expect(page.headers.get('Vary')).toBe('Accept')
  const unchanged = await send({ Accept: browser, 'If-None-Match': '"1"' })
  expect([unchanged.status, unchanged.headers.get('Vary')]).toEqual([304, 'Accept'])
})

test('without pages a browser gets the index', async () => {
  const response = await send({ Accept: browser }, { findAsset: undefined })
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
})
