import {
  ALL_SUPPORTED_CHAINS_MAP,
  BARN_ETH_FLOW_ADDRESSES,
  COMPOSABLE_COW_CONTRACT_ADDRESS,
  COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS,
  COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS_STAGING,
  COW_PROTOCOL_VAULT_RELAYER_ADDRESS,
  COW_PROTOCOL_VAULT_RELAYER_ADDRESS_STAGING,
  ETH_FLOW_ADDRESSES,
  SupportedChainId,
  WRAPPED_NATIVE_CURRENCIES,
} from '@cowprotocol/cow-sdk'
import * as viemChains from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { readNetworks } from './networks/readNetworks.ts'
import { findNetwork, findNetworkOf, type Network, networks } from './networks.ts'

const lower = (text: string): string => text.toLowerCase()

const read = (own: object) => readNetworks(JSON.stringify(own)) as Record<string, Network>

describe('shipped networks', () => {
  it('are the EVM networks of the public SDK, with its facts', () => {
    const known = Object.values(SupportedChainId).filter(
      (id) => typeof id === 'number' && id !== SupportedChainId.SOLANA,
    )
    const shipped = Object.values(networks)
    expect(shipped.map(({ chainId }) => chainId).sort((a, b) => a - b)).toEqual(
      [...(known as number[])].sort((a, b) => a - b),
    )
    for (const network of shipped) {
      const id = network.chainId as SupportedChainId
      const info = ALL_SUPPORTED_CHAINS_MAP[id]
      expect(network.explorerUrl).toBe(info.blockExplorer.url)
      expect(network.nativeSymbol).toBe(info.nativeCurrency.symbol)
      expect(network.wrappedNative).toBe(lower(WRAPPED_NATIVE_CURRENCIES[id].address))
      expect(network.settlementContract).toBe(lower(COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS[id] ?? ''))
      expect(network.vaultRelayer).toBe(lower(COW_PROTOCOL_VAULT_RELAYER_ADDRESS[id] ?? ''))
      expect(network.ethFlow).toBe(lower(ETH_FLOW_ADDRESSES[id] ?? ''))
      expect(network.composableCow).toBe(lower(COMPOSABLE_COW_CONTRACT_ADDRESS[id] ?? ''))
      expect(network.contractSet).toBe('canonical')
    }
  })

  it('have the block times of viem, except Ink, where viem has the default of the OP Stack', () => {
    const chains = Object.values(viemChains) as { id?: number; blockTime?: number }[]
    let count = 0
    const { ink, ...compared } = networks
    for (const { chainId, blockTimeSeconds } of Object.values(compared)) {
      const blockTime = chains.find(({ id }) => id === chainId)?.blockTime
      if (blockTime === undefined) continue
      count += 1
      expect([chainId, blockTimeSeconds]).toEqual([chainId, blockTime / 1_000])
    }
    expect(count).toBeGreaterThan(6)
    expect(ink.blockTimeSeconds).toBe(1)
  })

  it('are found by name, alias and chain id', () => {
    for (const segment of ['gnosis', 'xdai', '100']) expect(findNetwork(segment)?.chainId).toBe(100)
    expect(findNetworkOf(42_161)?.name).toBe('arbitrum_one')
    expect(findNetwork('solana')).toBeUndefined()
  })
})

const privateChain = {
  label: 'Private chain',
  chainId: 77_001,
  nativeSymbol: 'PRV',
  wrappedNative: '0x00000000000000000000000000000000000000A1',
  contracts: {
    settlement: '0x00000000000000000000000000000000000000b1',
    vaultRelayer: '0x00000000000000000000000000000000000000b2',
    hooksTrampoline: '0x00000000000000000000000000000000000000b3',
    ethFlow: '0x00000000000000000000000000000000000000b4',
  },
  usdReference: { address: '0x00000000000000000000000000000000000000c1', decimals: 6 },
  blockTimeSeconds: 2,
}

describe('networks of the operator', () => {
  it('need no code', () => {
    const own = read({ private: privateChain })
    expect(Object.keys(own)).toHaveLength(12)
    expect(own.private).toMatchObject({
      name: 'private',
      wrappedNative: '0x00000000000000000000000000000000000000a1',
      settlementContract: privateChain.contracts.settlement,
      ethFlow: privateChain.contracts.ethFlow,
      contractSet: 'own',
      uniswapV2Factory: `0x${'00'.repeat(20)}`,
      dataFee: 'none',
      explorerUrl: null,
    })
  })

  it('change fields of a shipped one', () => {
    const own = read({ sepolia: { contracts: privateChain.contracts } })
    expect(own.sepolia).toMatchObject({
      chainId: 11_155_111,
      settlementContract: privateChain.contracts.settlement,
    })
    expect(own.base?.contractSet).toBe('canonical')
  })

  it('may have the public staging contracts', () => {
    const { sepolia } = read({ sepolia: { contracts: 'staging' } })
    const id = SupportedChainId.SEPOLIA
    expect(sepolia?.settlementContract).toBe(lower(COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS_STAGING[id] ?? ''))
    expect(sepolia?.vaultRelayer).toBe(lower(COW_PROTOCOL_VAULT_RELAYER_ADDRESS_STAGING[id] ?? ''))
    expect(sepolia?.ethFlow).toBe(lower(BARN_ETH_FLOW_ADDRESSES[id] ?? ''))
  })

  it.each([
    [
      'an unknown field',
      { private: { ...privateChain, explorer: 'https://a.example' } },
      /network private:.*explorer/s,
    ],
    ['a missing field', { private: { label: 'Private' } }, /network private:.*chainId/s],
    ['a malformed address', { sepolia: { wrappedNative: '0x12' } }, /network sepolia:.*wrappedNative/s],
    ['another name inside', { private: { ...privateChain, name: 'other' } }, /network private: its name is other/],
    ['the chain id of another', { private: { ...privateChain, chainId: 100 } }, /gnosis and private both have 100/],
    ['unknown contracts', { sepolia: { contracts: 'mine' } }, /`canonical`, `staging`, or an object/],
  ])('are refused with %s', (_, own, message) => {
    expect(() => read(own)).toThrow(message)
  })
})
