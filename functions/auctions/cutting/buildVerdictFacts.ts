import type { Address } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { Network } from '#shared/networks.ts'
import type { ChainFacts, VerdictFacts } from '#shared/orders/verdict/verdictFacts.ts'

/** Tokens and accounts excluded by this deployment. */
export type TradingRules = { bannedUsers: ReadonlySet<Address>; unsupportedTokens: ReadonlySet<Address> }

export type CutFacts = {
  rules?: TradingRules
  contracts?: Pick<Network, 'settlementContract' | 'vaultRelayer'>
  outOfMarketBps?: number
  block?: number
  chain?: ChainFacts
  /** prices by token, wei per 10¹⁸ atoms */
  prices?: ReadonlyMap<Address, bigint>
}

const noRules: TradingRules = { bannedUsers: new Set(), unsupportedTokens: new Set() }
const noContract: Address = `0x${'0'.repeat(40)}`
const noHooks = { pre: [], post: [] }

/** Facts of a candidate known at a step of the cut. The database selects by expiry, so expiry is not checked again. */
export const buildVerdictFacts = (
  { order, inFlight, funding, settlementFailures }: Candidate,
  { rules = noRules, contracts, outOfMarketBps = 0, block, chain = {}, prices }: CutFacts,
): VerdictFacts => ({
  order,
  now: 0,
  minValiditySeconds: 0,
  rules: { ...rules, maxGas: 0n, outOfMarketBps },
  contracts: contracts ?? { settlementContract: noContract, vaultRelayer: noContract },
  meaning: { hooks: noHooks, flashloan: null, wrappers: [], ...funding },
  inFlight,
  failures: settlementFailures && {
    failures: settlementFailures.failures,
    lastBlock: settlementFailures.lastBlock,
    ofAccount: settlementFailures.ofAccount,
    solvers: [...settlementFailures.bySolver].flatMap(([solver, { reverts }]) => (reverts > 0 ? [solver] : [])),
  },
  ...(block === undefined ? {} : { block }),
  chain: { isSigned: order.signingScheme !== 'presign' || order.presigned, ...chain },
  prices: prices
    ? { sellPrice: prices.get(order.sellToken) ?? null, buyPrice: prices.get(order.buyToken) ?? null }
    : { sellPrice: undefined, buyPrice: undefined },
})
