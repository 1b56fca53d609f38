import type { ComponentChildren } from 'preact'
import { type AlarmContext, type AlarmId, type AlarmRule, alarmRules } from '../../shared/alarms/alarmRules.ts'
import type { Alarm } from '../../shared/alarms/computeAlarms.ts'
import { formatCount, formatOr, formatSpan } from '../../shared/alarms/formatFigure.ts'
import type { NetworkStatus } from './alarms/networkStatus.ts'
import { FigureRow } from './FigureRow.tsx'
import { LatencyTable } from './LatencyTable.tsx'

type Props = { status: NetworkStatus; context: AlarmContext; alarms: readonly Alarm[] }

/** Current figures beside their limits. */
export const Figures = ({ status, context, alarms }: Props) => {
  const { auctions, indexer, notifications } = status
  // Without open orders there are no auctions, so the age of the last win is not an alarm.
  const hasOpenOrders = auctions.openOrders > 0
  const toRow = (label: string, value: string, id?: AlarmId) => {
    const rule: AlarmRule | undefined = id && alarmRules[id]
    const isOver = alarms.some((alarm) => alarm.id === id)
    return <FigureRow label={label} value={value} limit={rule?.toLimit?.(context)} isOver={isOver} />
  }
  return (
    <div class="figures">
      <Panel id="auctions" title="Auctions and notifications">
        {toRow('Open orders', formatCount(auctions.openOrders))}
        {toRow(
          'Newest auction',
          // an auction without an age: its block is no longer stored
          ago(auctions.newestAgeSeconds, auctions.newestId === null ? 'none' : 'long ago'),
          hasOpenOrders ? 'auctionAge' : undefined,
        )}
        {toRow('Last win', ago(auctions.lastWinAgeSeconds, 'none'), hasOpenOrders ? 'lastWin' : undefined)}
        {toRow('Fills in the last hour', formatCount(auctions.fillsLastHour))}
        {toRow(
          'Undelivered',
          formatOr(notifications.oldestUndeliveredSeconds, (value) => `oldest ${formatSpan(value)}`, 'none'),
          'undelivered',
        )}
      </Panel>
      <Panel id="indexer" title="Indexer">
        {toRow('Indexed block', formatOr(indexer.block, formatCount, 'none'))}
        {toRow('Head of the node', formatOr(indexer.head, formatCount, 'no response'), 'noHead')}
        {toRow('Behind, in blocks', formatOr(indexer.lagBlocks, formatCount, '–'), 'lagBlocks')}
        {toRow('Behind, in time', formatOr(indexer.lagSeconds, formatSpan, '–'), 'lagSeconds')}
        {toRow('Age of the head', formatOr(indexer.headAgeSeconds, formatSpan, '–'), 'headAge')}
      </Panel>
      <LatencyTable status={status} alarms={alarms} />
    </div>
  )
}

const Panel = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <section class="panel" aria-labelledby={id}>
    <h3 id={id}>{title}</h3>
    <dl class="facts">{children}</dl>
  </section>
)

const ago = (seconds: number | null, missing: string): string =>
  formatOr(seconds, (value) => `${formatSpan(value)} ago`, missing)
