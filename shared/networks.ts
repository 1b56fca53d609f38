import type { Address } from 'viem'

/** A liquidity token contract of one network. */
export type NetworkToken = { address: Address; decimals: number }

/** Everything that differs between networks; adding a network takes one entry here and one deployment. */
export type Network = {
  name: string
  /** display name */
  label: string
  chainId: number
  /** aliases in paths, beside the numeric chain id */
  aliases: readonly string[]
  nativeSymbol: string
  wrappedNative: Address
  settlementContract: Address
  vaultRelayer: Address
  /** contract that runs the hooks of orders, called by the settlement contract */
  hooksTrampoline: Address
  /** contract that places on-chain orders for senders of the native token */
  ethFlow: Address
  uniswapV2Factory: Address
  /** Uniswap V3's factory and its SwapRouter02 */
  uniswapV3: { factory: Address; router: Address }
  /** US dollar reference token; routes may pass through it and the wrapped native token */
  usdReference: NetworkToken
  /** average time between two blocks; what a network does in blocks is declared in seconds (`toBlocks`) */
  blockTimeSeconds: number
  /**
   * what a transaction pays beside gas · gas price, for its data on Ethereum: nothing, the fee of the OP Stack's
   * `GasPriceOracle`, or the L1 gas of Arbitrum's `NodeInterface` (`findDataFee`)
   */
  dataFee: 'none' | 'optimism' | 'arbitrum'
  explorerUrl: string
}

/** Settlement contract of the protocol: one CREATE2 address on every chain (its digest domain depends on it). */
const settlementContract: Address = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
/** The contract that owners approve to move their sell tokens, made by the settlement contract's constructor. */
const vaultRelayer: Address = '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110'
/** One address on every chain. */
const hooksTrampoline: Address = '0x60bf78233f48ec42ee3f101b9a05ec7878728006'
const ethFlow: Address = '0xba3cb449bd2b4adddbc894d8697f5170800eadec'

/** Represents the native token as the buy token of an order. */
export const nativeSentinel: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export const networks = {
  mainnet: {
    name: 'mainnet',
    label: 'Ethereum Mainnet',
    chainId: 1,
    aliases: ['ethereum'],
    nativeSymbol: 'ETH',
    wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    settlementContract,
    vaultRelayer,
    hooksTrampoline,
    ethFlow,
    uniswapV2Factory: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
    uniswapV3: {
      factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
      router: '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45',
    },
    usdReference: { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
    blockTimeSeconds: 12,
    dataFee: 'none',
    explorerUrl: 'https://etherscan.io',
  },
  gnosis: {
    name: 'gnosis',
    label: 'Gnosis Chain',
    chainId: 100,
    aliases: ['xdai'],
    nativeSymbol: 'xDAI',
    wrappedNative: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d',
    settlementContract,
    vaultRelayer,
    hooksTrampoline,
    ethFlow,
    uniswapV2Factory: '0xa818b4f111ccac7aa31d0bcc0806d64f2e0737d7',
    uniswapV3: {
      factory: '0xe32f7dd7e3f098d518ff19a22d5f028e076489b1',
      router: '0xc6d25285d5c5b62b7ca26d6092751a145d50e9be',
    },
    usdReference: { address: '0xddafbb505ad214d7b80b1f830fccc89b60fb7a83', decimals: 6 },
    blockTimeSeconds: 5,
    dataFee: 'none',
    explorerUrl: 'https://gnosisscan.io',
  },
  arbitrum_one: {
    name: 'arbitrum_one',
    label: 'Arbitrum One',
    chainId: 42_161,
    aliases: ['arbitrum'],
    nativeSymbol: 'ETH',
    wrappedNative: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
    settlementContract,
    vaultRelayer,
    hooksTrampoline,
    ethFlow,
    uniswapV2Factory: '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9',
    uniswapV3: {
      factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
      router: '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45',
    },
    usdReference: { address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6 },
    blockTimeSeconds: 0.25,
    dataFee: 'arbitrum',
    explorerUrl: 'https://arbiscan.io',
  },
  base: {
    name: 'base',
    label: 'Base',
    chainId: 8_453,
    aliases: [],
    nativeSymbol: 'ETH',
    wrappedNative: '0x4200000000000000000000000000000000000006',
    settlementContract,
    vaultRelayer,
    hooksTrampoline,
    ethFlow,
    uniswapV2Factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
    uniswapV3: {
      factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
      router: '0x2626664c2603336e57b271c5c0b26f421741e481',
    },
    usdReference: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', decimals: 6 },
    blockTimeSeconds: 2,
    dataFee: 'optimism',
    explorerUrl: 'https://basescan.org',
  },
  sepolia: {
    name: 'sepolia',
    label: 'Sepolia',
    chainId: 11_155_111,
    aliases: [],
    nativeSymbol: 'ETH',
    wrappedNative: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
    settlementContract,
    vaultRelayer,
    hooksTrampoline,
    ethFlow,
    uniswapV2Factory: '0xf62c03e08ada871a0beb309762e260a7a6a880e6',
    uniswapV3: {
      factory: '0x0227628f3f023bb0b980b67d528571c95c6dac1c',
      router: '0x3bfa4769fb09eefc5a80d6e87c3b9c650f7ae48e',
    },
    usdReference: { address: '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238', decimals: 6 },
    blockTimeSeconds: 12,
    dataFee: 'none',
    explorerUrl: 'https://sepolia.etherscan.io',
  },
} as const satisfies Record<string, Network>

export type NetworkName = keyof typeof networks

export const networkNames = Object.keys(networks) as [NetworkName, ...NetworkName[]]

const bySegment = new Map<string, Network>(
  Object.values<Network>(networks).flatMap((network) =>
    [network.name, String(network.chainId), ...network.aliases].map((segment) => [segment, network] as const),
  ),
)

const byChainId = new Map(Object.values<Network>(networks).map((network) => [network.chainId, network]))

/** Finds a network by chain id; undefined for an unknown id. */
export const findNetworkOf = (chainId: number): Network | undefined => byChainId.get(chainId)

/** Finds a network by path segment (name, alias or numeric chain id); undefined when unknown. */
export const findNetwork = (segment: string): Network | undefined => bySegment.get(segment)
