import { maxOf, minOf } from '../amounts/minMax.ts'
import { mulDivCeil } from '../amounts/mulDiv.ts'

const million = 1_000_000n
/** Without a history: half of the fee, as the public SDK. */
const defaultPpm = 500_000n
/** A settlement takes another way than the quote, or more gas than the simulation measured. */
const gasPpm = 200_000n
const maxPpm = 3_000_000n
/** An order that is posted at once is settled within so many blocks. */
const settledBlocks = 10
/** Fewer blocks say too little. */
const minBlocks = 3 * settledBlocks

/**
 * Room for the network fee in the limit of a market order, in millionths of the fee: a fifth for gas, and the largest rise of the
 * gas price within any ten blocks of the history, rounded up; at most three times the fee.
 * @param gasPrices wei per gas unit, those of consecutive blocks in their order
 * @returns half of the fee when the history is too short
 */
export const computeFeeRoom = (gasPrices: readonly bigint[]): bigint => {
  if (gasPrices.length < minBlocks || gasPrices.some((price) => price <= 0n)) return defaultPpm
  const rises = gasPrices.map((price, block) => {
    const highest = gasPrices.slice(block, block + settledBlocks + 1).reduce(maxOf, price)
    return mulDivCeil(highest - price, million, price)
  })
  return minOf(gasPpm + rises.reduce(maxOf, 0n), maxPpm)
}
