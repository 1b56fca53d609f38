import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import { type Network, networks } from '#shared/networks.ts'
import { readLocalNetworks } from './readLocalNetworks.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'edgebook-networks-'))
})

afterEach(() => rmSync(dir, { recursive: true }))

it('is empty without the file', () => {
  expect(readLocalNetworks(dir)).toBe('{}')
})

it('has the canonical contracts, and exchanges where a network names none', () => {
  const own = {
    label: 'Private',
    chainId: 77_001,
    nativeSymbol: 'PRV',
    wrappedNative: '0x00000000000000000000000000000000000000a1',
    usdReference: { address: '0x00000000000000000000000000000000000000c1', decimals: 6 },
    blockTimeSeconds: 2,
  }
  const base = { contracts: { settlement: own.wrappedNative, vaultRelayer: own.wrappedNative } }
  const other = { ...own, chainId: 77_002, uniswapV2Factory: '0x00000000000000000000000000000000000000d1' }
  writeFileSync(join(dir, 'networks.json'), JSON.stringify({ own, other, base }))
  const read = readNetworks(readLocalNetworks(dir)) as Record<string, Network>
  const { settlementContract, uniswapV2Factory, uniswapV3 } = networks.sepolia
  expect(read.own).toMatchObject({ chainId: 77_001, settlementContract, uniswapV2Factory, uniswapV3 })
  expect(read.other).toMatchObject({ settlementContract, uniswapV2Factory: other.uniswapV2Factory })
  expect(read.base).toEqual(networks.base)
})

it('names the file when it is not JSON', () => {
  writeFileSync(join(dir, 'networks.json'), '{')
  expect(() => readLocalNetworks(dir)).toThrow(/^networks\.json: /)
})
