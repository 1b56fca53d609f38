import type { Address } from 'viem'
import type { Block } from '../../chain/createChain.ts'
import { network } from '../../market.ts'
import { computeOwedFees, listFeeShares } from '../../oracle/computeOwedFees.ts'
import { estimateOutput } from '../../oracle/estimateOutput.ts'
import { type ChainEvent, listChainEvents } from '../../oracle/listChainEvents.ts'
import type { World } from '../../world.ts'
import { computeTradeFee, findUniformPrices } from '../checkFees.ts'
import { Violation } from '../violation.ts'

type TradeEvent = Extract<ChainEvent, { name: 'Trade' }>

/** Wei of one solver: what its settlements retained for it, their gas, and the gas of its transactions that failed. */
type Account = { kept: bigint; spent: bigint; lost: bigint }

/** Prices move between the estimate of a settlement and its block: part of the gas that fees may miss, 1/100, and wei */
const [missedPercent, missedWei] = [40n, 10n ** 15n]
/** Wei that failed transactions may cost: hostile orders fail a few times each, and they arrive with the blocks. */
const [lostWei, lostWeiPerBlock] = [3n * 10n ** 15n, 3n * 10n ** 14n]
/** The same for each order that fails in transactions alone: log₂(B) + B / 64 + 2 attempts in B blocks (docs/security.md). */
const lostWeiPerTrap = 4n * 10n ** 15n

/**
 * Fees of an honest solver's settlements, without those of the protocol, pay their gas, and its failed transactions
 * cost a bounded amount.
 * @returns a check for each block
 */
export const createSolverLossCheck = (world: World, solvers: readonly Address[]) => {
  const { chain, orders, fees } = world
  const accounts = new WeakMap<Block, ReadonlyMap<Address, Account>>()

  const findAccounts = (block: Block): ReadonlyMap<Address, Account> => {
    const known = accounts.get(block)
    if (known) return known
    const found = new Map<Address, Account>(solvers.map((solver) => [solver, { kept: 0n, spent: 0n, lost: 0n }]))
    for (const { transaction, succeeded, gasUsed, effectiveGasPrice } of block.receipts) {
      const account = found.get(transaction.from)
      if (account) account[succeeded ? 'spent' : 'lost'] += gasUsed * effectiveGasPrice
    }
    for (const event of listChainEvents([block])) {
      if (event.name !== 'Trade') continue
      const account = found.get(event.receipt.transaction.from)
      if (account) account.kept += computeRetainedWei(block, event)
    }
    accounts.set(block, found)
    return found
  }
  /** Worth of the fee of a trade without the protocol's part. */
  const computeRetainedWei = (block: Block, event: TradeEvent): bigint => {
    const { orderUid, sellToken, sellAmount, feeAmount, buyAmount } = event.args
    const order = orders.get(orderUid)
    const executed = { sold: sellAmount - feeAmount, bought: buyAmount }
    const owed = order
      ? computeOwedFees(listFeeShares(fees, order), order, executed).reduce((sum, fee) => sum + fee, 0n)
      : 0n
    const [sellPrice, buyPrice] = findUniformPrices(event.receipt, event.args)
    const kept = computeTradeFee(event) - (order?.kind === 'sell' ? (owed * buyPrice) / sellPrice : owed)
    const token = sellToken.toLowerCase() as Address
    if (token === network.wrappedNative || kept <= 0n) return kept
    return estimateOutput(chain, block, token, network.wrappedNative, kept)
  }

  return (block: Block): void => {
    const traps = [...orders.values()].filter(({ isTrap }) => isTrap).length
    for (const solver of solvers) {
      const [kept, spent, lost] = (['kept', 'spent', 'lost'] as const).map((name) =>
        chain.blocks.reduce((sum, other) => sum + (findAccounts(other).get(solver)?.[name] ?? 0n), 0n),
      ) as [bigint, bigint, bigint]
      if (kept < spent - (spent * missedPercent) / 100n - missedWei)
        throw new Violation('loss', `settlements of ${solver} kept ${kept} wei and cost ${spent}`)
      const bound = lostWei + lostWeiPerBlock * BigInt(block.number) + lostWeiPerTrap * BigInt(traps)
      if (lost > bound) throw new Violation('loss', `failed transactions of ${solver} cost ${lost} wei, above ${bound}`)
    }
  }
}
