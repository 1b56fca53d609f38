import { expect, test } from 'vitest'
import { buildAddedChain } from './buildAddedChain.ts'

const network = {
  chainId: 11_155_111,
  label: 'Sepolia',
  nativeSymbol: 'ETH',
  publicRpcUrl: 'https://rpc.example',
  explorerUrl: 'https://explorer.example',
}

test('a network has all fields of EIP-3085', () => {
  expect(buildAddedChain(network)).toEqual({
    chainId: '0xaa36a7',
    chainName: 'Sepolia',
    nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['https://rpc.example'],
    blockExplorerUrls: ['https://explorer.example'],
  })
})

test('a network without a block explorer names none', () => {
  expect(buildAddedChain({ ...network, explorerUrl: null })).not.toHaveProperty('blockExplorerUrls')
})

test('a network without a public node cannot be added', () => {
  expect(buildAddedChain({ ...network, publicRpcUrl: null })).toBeUndefined()
})
