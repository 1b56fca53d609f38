import { type Address, concatHex, encodeFunctionData, type Hex, keccak256, numberToHex, sliceHex } from 'viem'
import { settlementAbi } from '../chain/settlementAbi.ts'

/** Hex digits that do not compress, as addresses, prices and signatures do not. */
const bytesOf = (seed: number, size: number): Hex => {
  const words = Array.from({ length: Math.ceil(size / 32) }, (_, i) =>
    keccak256(numberToHex(100 * seed + i, { size: 32 })),
  )
  return sliceHex(concatHex(words), 0, size)
}
const addressOf = (seed: number): Address => bytesOf(seed, 20)
const amountOf = (seed: number): bigint => BigInt(bytesOf(seed, 10))
/** A transfer of the sell token to a pool, or a swap. */
const buildInteraction = (seed: number, words: number) => ({
  target: addressOf(seed),
  value: 0n,
  callData: concatHex([
    bytesOf(seed + 1, 4),
    ...Array.from({ length: words }, (_, i) => numberToHex(amountOf(seed + 2 + i), { size: 32 })),
  ]),
})

/**
 * Call data of a typical settlement, to price its data: one signed order over two pools, with uniform and own prices.
 * Quotes are priced before solvers respond, and calls of larger routes cost little more.
 */
export const buildTypicalSettlement = (): Hex =>
  encodeFunctionData({
    abi: settlementAbi,
    functionName: 'settle',
    args: [
      [1, 2, 1, 2].map(addressOf),
      [3, 4, 5, 6].map(amountOf),
      [
        {
          sellTokenIndex: 2n,
          buyTokenIndex: 3n,
          receiver: addressOf(7),
          sellAmount: amountOf(8),
          buyAmount: amountOf(9),
          validTo: 1_800_000_000,
          appData: bytesOf(10, 32),
          feeAmount: 0n,
          flags: 0n,
          executedAmount: amountOf(8),
          signature: bytesOf(11, 65),
        },
      ],
      [[], [buildInteraction(20, 2), buildInteraction(30, 5), buildInteraction(40, 5)], []],
    ],
  })
