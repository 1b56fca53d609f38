import { maxUint256 } from 'viem'
import { isLiveNativeOrder, readNativeFunds } from '../chain/contracts/ethFlowCode.ts'
import { toFilledKey, toPresignedKey } from '../chain/contracts/settlementCode.ts'
import { isAuthorised } from '../chain/contracts/strategies/composableCowCode.ts'
import { toAllowanceKey, toBalanceKey } from '../chain/contracts/tokenCode.ts'
import { toHookRunsKey } from '../chain/contracts/walletCode.ts'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { isSteadyWallet } from '../wallets.ts'
import type { PlacedOrder, World } from '../world.ts'
import { estimateOutput } from './estimateOutput.ts'

/** gas units of a settlement, generously */
const settlementGas = 450_000n
/** gas units of the two hooks of an order and their calls */
const hookGas = 360_000n
/** the pools must give this much more than the limit, 1/10000 */
const marginBps = 60n
/** the most that no, one, or several partners take of the volume, 1/10000 */
const partnerBps = [0n, 50n, 100n] as const

/**
 * Whether an honest solver must be able to settle a whole order after a block: honest tokens, funds, a signature, time
 * for two blocks, and pools that pay the limit, gas and a margin.
 */
export const isFillable = ({ chain }: Pick<World, 'chain'>, order: PlacedOrder, block: Block): boolean => {
  const { uid, owner, sellToken, buyToken } = order
  if (order.isTrap || order.cancelledAt !== undefined || order.validTo < block.timestamp + 3 * network.blockTimeSeconds)
    return false
  if (![sellToken, buyToken].every((token) => honestTokens.some(({ address }) => address === token))) return false
  if (order.validFrom > block.timestamp) return false
  const { store } = chain
  if (order.scheme === 'presign' && store.get(toPresignedKey(uid)) === 0n) return false
  const { sell, buy } = readRest(chain, order)
  if (sell === 0n || buy === 0n) return false
  if (order.scheme === 'native' && !isLiveNativeOrder(chain, uid, block.timestamp)) return false
  if (order.scheme === 'eip1271' && !isSteadyWallet(owner)) return false
  if (order.conditional && !isAuthorised(chain, { owner, hash: order.conditional })) return false
  if (order.hook && !isSteadyWallet(order.hook.wallet)) return false
  if (isUnfunded(chain, order)) return false
  const gasWei = (settlementGas + (order.hook ? hookGas : 0n)) * (2n * block.baseFee + 10n ** 9n)
  const gasCost = estimateWorth(chain, block, sellToken, gasWei)
  if (gasCost === undefined || gasCost * 4n > sell) return false
  const output = estimateOutput(chain, block, sellToken, buyToken, sell - gasCost)
  return output * 10_000n >= buy * (10_000n + marginBps + computePartnerBps(order))
}

/** Whether the owner lacks funds or an allowance for what is left of an order. */
export const isUnfunded = (chain: World['chain'], order: PlacedOrder): boolean => {
  const { sell } = readRest(chain, order)
  return readOrderFunds(chain, order) < sell || readOrderAllowance(chain, order) < sell
}

const computePartnerBps = ({ partnerFees: [first, second] }: PlacedOrder): bigint =>
  partnerBps[second ? 2 : first ? 1 : 0]

/** Atoms of an order that are not filled, each rounded down; 0 after a cancellation on the chain. */
export const readRest = ({ store }: World['chain'], { uid, kind, sellAmount, buyAmount }: PlacedOrder) => {
  const whole = kind === 'sell' ? sellAmount : buyAmount
  const filled = store.get(toFilledKey(uid))
  const left = filled < whole ? whole - filled : 0n
  return { sell: (sellAmount * left) / whole, buy: (buyAmount * left) / whole }
}

/** Sell token atoms that pay an order, with those that its hook releases before its first trade. */
export const readOrderFunds = (chain: World['chain'], order: PlacedOrder): bigint => {
  const { scheme, sellToken, owner, hook } = order
  if (scheme === 'native') return readNativeFunds(chain, network.wrappedNative, network.ethFlow)
  const own = chain.store.get(toBalanceKey(sellToken, owner))
  if (!hook || !isPreparing(chain, order)) return own
  const held = chain.store.get(toBalanceKey(sellToken, hook.wallet))
  return own + (held < hook.releases ? 0n : hook.releases)
}

/** Sell token atoms that the relayer may take for an order. */
export const readOrderAllowance = (chain: World['chain'], order: PlacedOrder): bigint =>
  order.hook?.releases === 0n && isPreparing(chain, order)
    ? maxUint256
    : chain.store.get(toAllowanceKey(order.sellToken, order.owner, network.vaultRelayer))

/** Whether the hook before its first trade has not run. */
const isPreparing = ({ store }: World['chain'], { hook }: PlacedOrder): boolean =>
  hook !== undefined && store.get(toHookRunsKey(hook.wallet, hook.before)) === 0n

/** Atoms of a token that pay an amount of wei at the pool's price. */
const estimateWorth = (chain: World['chain'], block: Block, token: PlacedOrder['sellToken'], wei: bigint) => {
  if (token === network.wrappedNative) return wei
  const one = estimateOutput(chain, block, network.wrappedNative, token, 10n ** 15n)
  return one === 0n ? undefined : (wei * one) / 10n ** 15n
}
