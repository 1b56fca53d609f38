import type { Address } from 'viem'
import { maxOf } from '#shared/amounts/minMax.ts'
import { computeSwapOutput, toReserveKey } from '../chain/contracts/poolCode.ts'
import type { Block, Chain } from '../chain/createChain.ts'
import { network, pools } from '../market.ts'

const swap = (chain: Chain, from: Address, to: Address, amount: bigint): bigint => {
  const pool = pools.find(({ tokens }) => tokens.includes(from) && tokens.includes(to))
  if (!pool || amount === 0n) return 0n
  const side = pool.tokens[0] === from ? 0 : 1
  return computeSwapOutput(
    amount,
    chain.store.get(toReserveKey(pool.address, side)),
    chain.store.get(toReserveKey(pool.address, side === 0 ? 1 : 0)),
  )
}

/** Best output of a trade along one pool, or two through the wrapped native token, at the end of a block; atoms. */
export const estimateOutput = (chain: Chain, block: Block, from: Address, to: Address, amount: bigint): bigint =>
  chain.readAt(block, () => {
    const direct = swap(chain, from, to, amount)
    const native = network.wrappedNative
    const through = swap(chain, native, to, swap(chain, from, native, amount))
    return maxOf(direct, through)
  })
