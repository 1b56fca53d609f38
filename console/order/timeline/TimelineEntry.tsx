import { useLocation } from 'preact-iso'
import { withQuery } from '../../browser/withQuery.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { SolverText } from '../../networks/SolverText.tsx'
import { NativeAmount } from '../../tokens/NativeAmount.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { formatDuration } from '../../ui/formatDuration.ts'
import { HexText } from '../../ui/HexText.tsx'
import { DiagnosisFacts } from '../diagnosis/DiagnosisFacts.tsx'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import type { Entry } from './computeTimes.ts'

type Context = { network: Network; order: Order; pair: TokenPair }

/** A row of the timeline. */
export const TimelineEntry = ({ entry, ...context }: Context & { entry: Entry }) => {
  const { network, pair } = context
  switch (entry.kind) {
    case 'step':
      return <Step entry={entry} {...context} />
    case 'auction':
      return <Auction entry={entry} {...context} />
    case 'auctions':
      return (
        <>
          Auctions {entry.first} to {entry.last}, over {formatDuration(entry.until - entry.time)}: solvers offered to
          fill it in {entry.count} of them; other solutions won.
        </>
      )
    case 'attempt':
      return (
        <>
          <SolverText network={network} address={entry.solver} isBrief /> submitted the settlement:{' '}
          <span class={`outcome ${entry.outcome === 'success' ? 'good' : entry.outcome === null ? '' : 'bad'}`}>
            {entry.outcome ?? 'in progress'}
          </span>
          {entry.until !== null && ` after ${formatDuration(entry.until - entry.time)}`}
        </>
      )
    case 'trade':
      return (
        <>
          Sold <TokenAmount network={network} token={pair.sell} amount={entry.trade.sellAmount} /> for{' '}
          <TokenAmount network={network} token={pair.buy} amount={entry.trade.buyAmount} /> in{' '}
          <HexText
            value={entry.trade.txHash}
            label="transaction hash"
            href={paths.transaction(network.name, entry.trade.txHash)}
          />
        </>
      )
    case 'notification':
      return <>Notified: {entry.message ?? `${toWords(entry.type)}.`}</>
  }
}

const Auction = ({ network, entry }: Context & { entry: Extract<Entry, { kind: 'auction' }> }) => {
  const location = useLocation()
  const { id, solutions, winner } = entry
  return (
    <>
      <a href={withQuery(location, { auction: String(id) })}>Auction {id}</a>:{' '}
      {solutions === 1 ? 'one solution' : `${solutions} solutions`} for the order
      {winner ? (
        <>
          , <SolverText network={network} address={winner.solver} isBrief /> won with a score of{' '}
          <NativeAmount network={network} amount={winner.score} />
        </>
      ) : (
        ', none of them won'
      )}
    </>
  )
}

const Step = ({ network, order, pair, entry }: Context & { entry: Extract<Entry, { kind: 'step' }> }) => {
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
          Excluded from auctions: <strong>{toWords(reason ?? label)}</strong>
          {data && <DiagnosisFacts network={network} order={order} pair={pair} data={data} />}
        </>
      )
    case 'executing':
      return <>A solver won {auction} and settles the order</>
    case 'considered':
      return <>Solvers offered to fill it in {auction}, but lost</>
    case 'traded':
      return <>Filled, in whole or in part</>
    case 'cancelled':
      return (
        <>
          Cancelled
          {data && <DiagnosisFacts network={network} order={order} pair={pair} data={data} />}
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
      return <>{toWords(label)}</>
  }
}

const toWords = (name: string): string => name.replaceAll('_', ' ')
