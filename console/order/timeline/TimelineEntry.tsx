import { useLocation } from 'preact-iso'
import { withQuery } from '../../browser/withQuery.ts'
import { paths } from '../../networks/paths.ts'
import { SolverText } from '../../networks/SolverText.tsx'
import { NativeAmount } from '../../tokens/NativeAmount.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { formatDuration } from '../../ui/formatDuration.ts'
import { formatSnakeCase } from '../../ui/formatSnakeCase.ts'
import { HexText } from '../../ui/HexText.tsx'
import { keepPercents } from '../../ui/keepPercents.ts'
import { type EntryContext, StepEntry } from './StepEntry.tsx'
import type { Entry } from './times/timelineFacts.ts'

/** A row of the timeline. */
export const TimelineEntry = ({ entry, ...context }: EntryContext & { entry: Entry }) => {
  const { network, pair } = context
  switch (entry.kind) {
    case 'step':
      return <StepEntry entry={entry} {...context} />
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
      return <>Notified: {keepPercents(entry.message ?? `${formatSnakeCase(entry.type)}.`)}</>
  }
}

const Auction = ({ network, entry }: EntryContext & { entry: Extract<Entry, { kind: 'auction' }> }) => {
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
