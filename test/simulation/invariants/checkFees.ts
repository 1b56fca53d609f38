import { type Address, decodeFunctionData } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { toBalanceKey } from '../chain/contracts/tokenCode.ts'
import type { Block, Receipt } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { type ChainEvent, listChainEvents } from '../oracle/listChainEvents.ts'
import { readAuctionId, splitCalldata } from '../oracle/splitCalldata.ts'
import type { World } from '../world.ts'
import { expectEqual, Violation } from './violation.ts'

/**
 * Recorded fees of an order are the difference to the uniform prices of its settlement, in sell token atoms:
 *     fee = sold − ⌊ bought · uniform(buy) / uniform(sell) ⌋
 * where a token's uniform price is the one at its first place.
 */
export const checkFees = async ({ database, chain }: World, cursor: number): Promise<void> => {
  const from = Math.max(0, cursor - 3)
  const rows = await database.read(
    'select auction_id, order_uid, executed_fee from executions where block_number >= $1',
    [String(from)],
  )
  // after a reorganisation a block may have settlements of several auctions with the same order
  const recorded = new Map(rows.map((row) => [`${row.auction_id} 0x${row.order_uid?.slice(2)}`, row.executed_fee]))
  const blocks = chain.blocks.slice(from, cursor + 1)
  for (const event of listChainEvents(blocks)) {
    if (event.name !== 'Trade') continue
    const { orderUid } = event.args
    const stored = recorded.get(`${readAuctionId(event)} ${orderUid}`)
    if (stored === undefined) continue
    expectEqual('fees', 'the recorded fee', stored, computeTradeFee(event), orderUid)
  }
}

/** Sell token atoms that a trade pays beyond the uniform prices of its settlement. */
export const computeTradeFee = ({ receipt, args }: Extract<ChainEvent, { name: 'Trade' }>): bigint => {
  const [sellPrice, buyPrice] = findUniformPrices(receipt, args)
  const uniform = (args.buyAmount * buyPrice) / sellPrice
  const sold = args.sellAmount - args.feeAmount
  return sold > uniform ? sold - uniform : 0n
}

/** Prices of the first places of both tokens in a settlement. */
export const findUniformPrices = (
  { transaction }: Receipt,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
): [bigint, bigint] => {
  const { args } = decodeFunctionData({ abi: settlementAbi, data: splitCalldata(transaction.data).call })
  const [tokens, prices] = args as unknown as [Address[], bigint[]]
  const find = (token: Address) =>
    prices[tokens.findIndex((other) => other.toLowerCase() === token.toLowerCase())] ?? 1n
  return [find(sellToken), find(buyToken)]
}

/**
 * A settlement never takes honest tokens out of the settlement contract: what it holds are fees of earlier ones. A
 * reorganisation may, so the comparison starts again after one.
 */
export const createBufferCheck = ({ chain }: World) => {
  const held = new Map<Address, bigint>()
  let previous: Block | undefined
  return (block: Block): void => {
    const isNext = block.parentHash === previous?.hash
    previous = block
    for (const { address, symbol } of honestTokens) {
      const balance = chain.store.get(toBalanceKey(address, network.settlementContract))
      const before = held.get(address) ?? 0n
      if (isNext && balance < before)
        throw new Violation('buffers', `the contract holds ${balance} ${symbol} after ${before}`)
      held.set(address, balance)
    }
  }
}
