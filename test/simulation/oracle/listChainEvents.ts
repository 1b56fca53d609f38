import { type Abi, type Address, decodeEventLog, type Hex } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { onchainOrdersAbi } from '../../../functions/auctions/indexing/placements/onchainOrdersAbi.ts'
import type { Block, Receipt } from '../chain/createChain.ts'
import { network } from '../market.ts'

/** An event of the settlement contract, of the contract for orders of the native token, or of the registry of conditional orders. */
export type ChainEvent = { block: number; logIndex: number; receipt: Receipt } & (
  | { name: 'Trade'; args: TradeArgs }
  | { name: 'Settlement'; args: { solver: Address } }
  | { name: 'OrderInvalidated'; args: { owner: Address; orderUid: Hex } }
  | { name: 'PreSignature'; args: { owner: Address; orderUid: Hex; signed: boolean } }
  | { name: 'Interaction'; args: { target: Address } }
  | { name: 'OrderPlacement'; args: { sender: Address } }
  | { name: 'OrderInvalidation'; args: { orderUid: Hex } }
  | { name: 'OrderRefund'; args: { orderUid: Hex; refunder: Address } }
  | { name: 'ConditionalOrderCreated'; args: { owner: Address } }
)

export type TradeArgs = {
  owner: Address
  sellToken: Address
  buyToken: Address
  sellAmount: bigint
  buyAmount: bigint
  feeAmount: bigint
  orderUid: Hex
}

const abis = new Map<Address, Abi>([
  [network.settlementContract, settlementAbi],
  [network.ethFlow, onchainOrdersAbi],
  [network.composableCow, composableCowAbi],
])

const decoded = new WeakMap<Block, ChainEvent[]>()

const decode = (block: Block): ChainEvent[] =>
  block.receipts.flatMap((receipt) =>
    receipt.logs
      .filter(({ address }) => abis.has(address))
      .map(({ address, topics, data, logIndex }) => {
        const abi = abis.get(address) ?? []
        const { eventName, args } = decodeEventLog({ abi, data, topics: topics as [Hex, ...Hex[]] })
        return { block: block.number, logIndex, receipt, name: eventName, args } as unknown as ChainEvent
      }),
  )

/** Events of these contracts in some blocks, in their order. */
export const listChainEvents = (blocks: readonly Block[]): ChainEvent[] =>
  blocks.flatMap((block) => {
    const events = decoded.get(block) ?? decode(block)
    decoded.set(block, events)
    return events
  })
