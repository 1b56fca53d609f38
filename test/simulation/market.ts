import { type AccessList, type Address, keccak256, maxUint256, toHex } from 'viem'
import { multicall3Address } from '#shared/networks/multicall3Address.ts'
import { networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { createEthFlowCode } from './chain/contracts/ethFlowCode.ts'
import { createMulticallCode, createTrampolineCode } from './chain/contracts/multicallCode.ts'
import {
  createEmptyFactoryCode,
  createFactoryCode,
  createPoolCode,
  toPairName,
  toReserveKey,
} from './chain/contracts/poolCode.ts'
import { createProxyCode, createRefusingCode, toProxyAccess } from './chain/contracts/receiverCode.ts'
import {
  createAuthenticatorCode,
  createSettlementCode,
  createVaultRelayerCode,
} from './chain/contracts/settlementCode.ts'
import { createComposableCowCode } from './chain/contracts/strategies/composableCowCode.ts'
import { createConditionalAccountCode } from './chain/contracts/strategies/conditionalAccountCode.ts'
import { createTwapCode } from './chain/contracts/strategies/twapCode.ts'
import {
  createTokenCode,
  type Manner,
  type TokenTerms,
  toAllowanceKey,
  toBalanceKey,
} from './chain/contracts/tokenCode.ts'
import { createChain } from './chain/createChain.ts'
import type { Code } from './chain/machine.ts'

/** The network whose addresses and chain id the model has. */
export const network = networks.sepolia

/** Domain of the orders of its settlement contract. */
export const domainSeparator = computeDomainSeparator(network.chainId, network.settlementContract)

/** An address without a key, named by a text. */
export const toAddress = (name: string): Address => `0x${keccak256(toHex(name)).slice(-40)}`

export type ModelToken = {
  address: Address
  symbol: string
  decimals: number
  isHonest: boolean
  manner: TokenTerms['manner']
  /** undefined: it behaves alike in all blocks */
  works?: Works
}

const toPoolAddress = (a: string, b: string): Address => toAddress(`pool ${a} ${b}`)

export type ModelPool = { address: Address; tokens: [Address, Address] }

const authenticator = toAddress('authenticator')

const honest = (symbol: string, decimals: number, address = toAddress(`token ${symbol}`)): ModelToken => ({
  ...{ address, symbol, decimals, isHonest: true },
  manner: undefined,
})

const hostile = (symbol: string, manner: (block: number) => Manner): ModelToken => ({
  ...{ address: toAddress(`token ${symbol}`), symbol, decimals: 18, isHonest: false },
  manner,
})

/** A stranger's token, which trades only on pools that its maker fills. */
const printed = (symbol: string): ModelToken => ({ ...honest(symbol, 18), isHonest: false })

/** Whatever changes its behaviour does so after a number of blocks, in turns. */
export const inTurns =
  <M extends object>(blocks: number, manner: M) =>
  (block: number): Partial<M> =>
    Math.floor(block / blocks) % 2 === 1 ? manner : {}

/** Blocks in which something works that fails in the others. */
export type Works = (block: number) => boolean

/** Wallets, hooks, receivers and tokens of the theorist decide so: every second or third block, two of seven, three of six. */
export const rhythms: readonly Works[] = [
  (block) => block % 2 === 0,
  (block) => block % 3 === 0,
  (block) => block % 7 < 2,
  (block) => block % 6 < 3,
]

export const modelTokens = {
  WETH: honest('WETH', 18, network.wrappedNative),
  USDC: honest('USDC', 6, network.usdReference.address),
  DAI: honest('DAI', 18),
  COW: honest('COW', 18),
  FEE: hostile('FEE', () => ({ feeBps: 300n })),
  FICKLE: hostile('FICKLE', inTurns(7, { reverts: true })),
  LIAR: hostile('LIAR', inTurns(11, { lies: true })),
  BURNER: hostile('BURNER', inTurns(5, { burnsGas: true })),
  REBASE: hostile('REBASE', (block) => ({ scaleBps: 10_000n + 25n * BigInt(block % 9) })),
  SILENT: hostile('SILENT', () => ({ isSilent: true })),
  REFUSER: hostile('REFUSER', inTurns(6, { refuses: true })),
  OWN: printed('OWN'),
  TWIN: printed('TWIN'),
} satisfies Record<string, ModelToken>

/** Receiver that a token of the theorist blocks. */
export const blockedAccount = toAddress('blocked account')

/** Receivers of the theorist: proxies take ether with an access list only, and one refuses it. */
export const proxyReceivers: readonly Address[] = ['a', 'b'].map((name) => toAddress(`proxy receiver ${name}`))
export const refusingReceiver = toAddress('refusing receiver')
/** Receivers that take ether in some blocks only, one for each rhythm. */
export const unsteadyReceivers: readonly Address[] = rhythms.map((_, i) => toAddress(`unsteady receiver ${i}`))
const implementation = toAddress('implementation')
export const findAccess = (account: Address): AccessList =>
  proxyReceivers.includes(account) ? toProxyAccess(account, implementation) : []

/** Manners of the tokens of the theorist: each has a pool of its own, and only those of a rhythm change during a run. */
const theoremManners: readonly (Manner | ((pool: Address) => Manner) | undefined)[] = [
  ...Array.from({ length: 6 }, () => undefined),
  ...[{ feeBps: 100n }, { isSilent: true }, { refuses: true }, { reverts: true }, { lies: true }, { burnsGas: true }],
  ...[{ scaleBps: 12_345n }, { blocks: blockedAccount }, { blocks: network.settlementContract }],
  ...[{ surchargeBps: 100n }, { most: 3_000n * 10n ** 18n }, { sendsOnce: true }, { gas: 40_000n }],
  ...[{ isHidden: true }, { isHidden: true, feeBps: 100n }],
  (pool) => ({ feeBps: 100n, feeFrom: pool }),
  (pool) => ({ feeBps: 100n, feeTo: pool }),
  (pool) => ({ blocks: pool }),
]
const createTheoremToken = (terms: (typeof theoremManners)[number], i: number): ModelToken => {
  const symbol = `T${i}`
  const manner = typeof terms === 'function' ? terms(toPoolAddress('WETH', symbol)) : terms
  return { ...(manner ? hostile(symbol, () => manner) : honest(symbol, i % 2 === 0 ? 18 : 6)), isHonest: false }
}
/** Moves nothing in the other blocks. */
const createUnsteadyToken = (works: Works, i: number): ModelToken => ({
  ...hostile(`U${i}`, (block) => (works(block) ? {} : { most: 0n })),
  works,
})
export const theoremTokens: readonly ModelToken[] = [
  ...theoremManners.map(createTheoremToken),
  ...rhythms.map(createUnsteadyToken),
]

const tokenList: readonly ModelToken[] = Object.values(modelTokens)
export const honestTokens = tokenList.filter(({ isHonest }) => isHonest)
/** Tokens whose balances change without a transfer, that return nothing or false. */
export const strangeTokens: readonly ModelToken[] = [modelTokens.REBASE, modelTokens.SILENT, modelTokens.REFUSER]
/** Tokens of a trader that trades with itself. */
export const printedTokens: readonly ModelToken[] = [modelTokens.OWN, modelTokens.TWIN]
/** The other ones that misbehave. */
export const hostileTokens = tokenList.filter(
  (token) => !token.isHonest && !strangeTokens.includes(token) && !printedTokens.includes(token),
)

const unit = (amount: number, { decimals }: ModelToken): bigint => BigInt(amount) * 10n ** BigInt(decimals)

/** Reserves of the pools at the beginning, whole units. */
const depths: [ModelToken, number, ModelToken, number][] = [
  [modelTokens.WETH, 1_000, modelTokens.USDC, 3_000_000],
  [modelTokens.WETH, 1_000, modelTokens.DAI, 3_000_000],
  [modelTokens.WETH, 1_000, modelTokens.COW, 10_000_000],
  [modelTokens.USDC, 2_000_000, modelTokens.DAI, 2_000_000],
  [modelTokens.WETH, 500, modelTokens.FEE, 1_500_000],
  [modelTokens.WETH, 500, modelTokens.FICKLE, 1_500_000],
  [modelTokens.WETH, 500, modelTokens.LIAR, 1_500_000],
  [modelTokens.WETH, 500, modelTokens.BURNER, 1_500_000],
  [modelTokens.WETH, 500, modelTokens.REBASE, 1_500_000],
  [modelTokens.WETH, 500, modelTokens.SILENT, 1_500_000],
  [modelTokens.WETH, 500, modelTokens.REFUSER, 1_500_000],
  [modelTokens.USDC, 0, modelTokens.COW, 0],
  [modelTokens.WETH, 0, modelTokens.OWN, 0],
  [modelTokens.WETH, 0, modelTokens.TWIN, 0],
  ...theoremTokens.map((token): [ModelToken, number, ModelToken, number] => [modelTokens.WETH, 500, token, 1_500_000]),
]

/** A pool of honest tokens that is empty until a stranger fills it. */
export const thinPool = toPoolAddress(modelTokens.USDC.symbol, modelTokens.COW.symbol)

export const pools: readonly ModelPool[] = depths.map(([a, , b]) => ({
  address: toPoolAddress(a.symbol, b.symbol),
  tokens: a.address < b.address ? [a.address, b.address] : [b.address, a.address],
}))

/**
 * A chain with the settlement contract, tokens, pools and the allow-listed solvers.
 * @param wallets further contracts by address
 * @param delegated plain accounts that own conditional orders
 */
export const createMarket = (
  solvers: readonly Address[],
  wallets: ReadonlyMap<Address, Code>,
  delegated: readonly Address[],
  genesisTime: number,
) => {
  const byPair = new Map(pools.map(({ address, tokens: [a, b] }) => [toPairName(a, b), address]))
  const { settlementContract, vaultRelayer, hooksTrampoline, chainId } = network
  const contracts = new Map<Address, Code>([
    ...wallets,
    [multicall3Address.toLowerCase() as Address, createMulticallCode()],
    [hooksTrampoline, createTrampolineCode(settlementContract)],
    [authenticator, createAuthenticatorCode(new Set(solvers))],
    [settlementContract, createSettlementCode({ authenticator, vaultRelayer, chainId, domainSeparator })],
    [vaultRelayer, createVaultRelayerCode(settlementContract)],
    [network.ethFlow, createEthFlowCode(network)],
    [network.composableCow, createComposableCowCode(domainSeparator)],
    [publicContracts.twap, createTwapCode()],
    ...delegated.map((account): [Address, Code] => [
      account,
      createConditionalAccountCode(network.composableCow, domainSeparator),
    ]),
    [network.uniswapV2Factory, createFactoryCode(byPair)],
    [network.uniswapV3.factory, createEmptyFactoryCode()],
    ...[...tokenList, ...theoremTokens].map(({ address, symbol, decimals, manner }): [Address, Code] => {
      const isWrappedNative = address === network.wrappedNative
      return [address, createTokenCode({ symbol, decimals, isWrappedNative, ...(manner ? { manner } : {}) })]
    }),
    ...pools.map(({ address, tokens: [a, b] }): [Address, Code] => [address, createPoolCode(a, b)]),
    ...proxyReceivers.map((address): [Address, Code] => [address, createProxyCode(implementation)]),
    [refusingReceiver, createRefusingCode()],
    ...rhythms.map((works, i): [Address, Code] => [
      unsteadyReceivers[i] ?? refusingReceiver,
      createRefusingCode(works),
    ]),
  ])
  const chain = createChain({
    contracts,
    genesisTime,
    blockTimeSeconds: network.blockTimeSeconds,
    baseFee: 10n ** 9n,
  })
  chain.store.set(toAllowanceKey(network.wrappedNative, network.ethFlow, vaultRelayer), maxUint256)
  for (const [i, [a, amountA, b, amountB]] of depths.entries()) {
    const pool = pools[i]
    if (!pool) continue
    const amounts = new Map([
      [a.address, unit(amountA, a)],
      [b.address, unit(amountB, b)],
    ])
    for (const side of [0, 1] as const) {
      const token = pool.tokens[side]
      chain.store.set(toReserveKey(pool.address, side), amounts.get(token) ?? 0n)
      chain.store.set(toBalanceKey(token, pool.address), amounts.get(token) ?? 0n)
    }
  }
  return chain
}
