import type { Network } from '../../networks/NetworksProvider.tsx'
import { formatSnakeCase } from '../../ui/formatSnakeCase.ts'
import { DiagnosisFacts } from '../diagnosis/DiagnosisFacts.tsx'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { describeHooks, type HookOutcome } from './describeHooks.ts'
import type { Entry } from './times/timelineFacts.ts'

export type EntryContext = { network: Network; order: Order; pair: TokenPair }

/** A change of the order as its log states it. */
export const StepEntry = ({ network, pair, entry }: EntryContext & { entry: Extract<Entry, { kind: 'step' }> }) => {
  const { label, reason, auctionId, data } = entry
  const auction = auctionId === null ? 'an auction' : `auction ${auctionId}`
  switch (label) {
    case 'created':
      if (reason === 'unsigned_order_replaced') return <>Signed by its owner; it was sent unsigned before.</>
      if (reason === 'placed_onchain') return <>Placed on-chain by a contract; it was sent to the order book before.</>
      return <>Placed</>
    case 'ready':
      return <>Entered {auctionId === null ? 'the auctions' : `auction ${auctionId}`}</>
    case 'filtered':
    case 'invalid':
      return (
        <>
          Excluded from auctions: <strong>{formatSnakeCase(reason ?? label)}</strong>
          {data && <DiagnosisFacts network={network} pair={pair} data={data} />}
        </>
      )
    case 'executing':
      return <>A solver won {auction} and settles the order</>
    case 'considered':
      return <>Solvers offered to fill it in {auction}, but lost</>
    case 'hooks':
      return <>{describeHooks(data?.hooks as HookOutcome[])}</>
    case 'traded':
      return <>Filled, in whole or in part</>
    case 'cancelled':
      return (
        <>
          Cancelled
          {data && <DiagnosisFacts network={network} pair={pair} data={data} />}
        </>
      )
    case 'expired':
      return <>Expired</>
    case 'undone':
      return (
        <>
          A reorganisation of the chain undid “{String(data?.label)}” of block {String(data?.blockNumber)}.
        </>
      )
    default:
      return <>{formatSnakeCase(label)}</>
  }
}
