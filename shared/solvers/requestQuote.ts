import type { Address } from 'viem'
import { mulDivCeil, mulDivFloor } from '../amounts/mulDiv.ts'
import { maxUint256 } from '../amounts/uint256.ts'
import { logEntry } from '../logging/logEntry.ts'
import type { OrderKind } from '../signing/order.ts'
import { type DriverQuote, driverQuoteSchema, maxCallDataBytes } from './driverApi.ts'
import { requestSolver, SolverError } from './requestSolver.ts'
import type { Solver } from './solverList.ts'

/** A price request to a solver: exactly `amount` atoms are sold (`sell`) or bought (`buy`). */
export type QuoteQuery = { sellToken: Address; buyToken: Address; amount: bigint; kind: OrderKind }

/** Time limit of a call; `signal` aborts it earlier. */
type QuoteCall = { now: () => number; timeoutMs: number; signal?: AbortSignal }

/** A solver's response as amounts. Unverified: it states what the solver claims to be able to settle. */
export type SolverQuote = Pick<DriverQuote, 'preInteractions' | 'interactions'> & {
  /** name of the solver in the settings, never from its response */
  solver: Pick<Solver, 'name' | 'address'>
  /** sell token atoms; the requested amount for a sell */
  sellAmount: bigint
  /** buy token atoms; the requested amount for a buy */
  buyAmount: bigint
  /** gas units of the whole settlement; undefined when the solver does not state it */
  gas: bigint | undefined
}

/** A quote, and the millionths of the amount that is not exact that a settlement in an unchanged market leaves to pools. */
export type OfferedQuote = SolverQuote & { tolerancePpm: bigint }

/**
 * One GET `quote` of the driver API. The amount that is not exact follows from the solver's clearing prices:
 *     sell: buyAmount = ⌈ amount · price(sell) / price(buy) ⌉
 *     buy: sellAmount = ⌊ amount · price(buy) / price(sell) ⌋
 * or is the `amount` of an older driver. Invalid quotes are logged.
 * @param now Unix time in milliseconds
 * @throws SolverError on any failure; `Garbage` also when the prices give no amount from 1 to 2²⁵⁶ − 1
 */
export const requestQuote = async (solver: Solver, query: QuoteQuery, call: QuoteCall): Promise<OfferedQuote> => {
  try {
    return await requestUnlogged(solver, query, call)
  } catch (error) {
    if (error instanceof SolverError && error.kind === 'Garbage') {
      logEntry({ message: 'quote rejected', solver: solver.name, reason: error.message })
    }
    throw error
  }
}

const requestUnlogged = async (
  solver: Solver,
  query: QuoteQuery,
  { now, timeoutMs, signal }: QuoteCall,
): Promise<OfferedQuote> => {
  const search = new URLSearchParams({
    sellToken: query.sellToken,
    buyToken: query.buyToken,
    amount: query.amount.toString(),
    kind: query.kind,
    deadline: new Date(now() + Math.min(timeoutMs, solver.timeoutMs ?? timeoutMs)).toISOString(),
  })
  const response = await requestSolver(
    solver,
    { method: 'GET', path: `/quote?${search}`, timeoutMs, signal },
    driverQuoteSchema,
  )
  const calls = [...response.preInteractions, ...response.interactions]
  const callDataBytes = calls.reduce((sum, { callData }) => sum + (callData.length - 2) / 2, 0)
  if (callDataBytes > maxCallDataBytes) throw new SolverError('Garbage', 'more call data than a transaction carries')
  const { name, address } = solver
  return {
    solver: { name, address },
    ...computeAmounts(query, response),
    gas: response.gas === undefined ? undefined : BigInt(response.gas),
    tolerancePpm: BigInt(response.tolerancePpm),
    preInteractions: response.preInteractions,
    interactions: response.interactions,
  }
}

const computeAmounts = (
  { sellToken, buyToken, amount, kind }: QuoteQuery,
  response: Pick<DriverQuote, 'clearingPrices'> | { amount: bigint },
): Pick<SolverQuote, 'sellAmount' | 'buyAmount'> => {
  const findOther = (): bigint => {
    if ('amount' in response) return response.amount
    const sellPrice = response.clearingPrices[sellToken]
    const buyPrice = response.clearingPrices[buyToken]
    if (!sellPrice || !buyPrice) throw new SolverError('Garbage', 'a clearing price is missing or zero')
    return kind === 'sell' ? mulDivCeil(amount, sellPrice, buyPrice) : mulDivFloor(amount, buyPrice, sellPrice)
  }
  const other = findOther()
  if (other < 1n || other > maxUint256) throw new SolverError('Garbage', 'the quote gives no usable amount')
  return kind === 'sell' ? { sellAmount: amount, buyAmount: other } : { sellAmount: other, buyAmount: amount }
}
