import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { Dialog } from '../ui/elements/Dialog.tsx'
import { formatChange } from '../ui/formatChange.ts'
import { type BookLevel, buildBook } from './buildBook.ts'
import { MarketList } from './MarketList.tsx'
import { formatMarketPrice, formatSize, type Market } from './market.ts'
import { toFill } from './toFill.ts'
import { useDepth, useTrades } from './useMarketData.ts'
import './market.css'

/** What an amount would trade for now. */
export type Executable = { /** `1 WETH` */ size: string /** of the value, by dollar prices */; impact: number }

type Props = {
  network: Network
  market: Market | undefined
  price: number | undefined
  /** undefined: no quote */
  executable?: Executable | undefined
  /** default: those with the largest volume, each with its trade form */
  markets?: ComponentChildren
}

/** Levels of a side. */
const maxLevels = 5
const maxTrades = 8

/** Beside the chart: open book, last trades and markets. On a phone each is a sheet. */
export const MarketParts = (props: Props) => {
  const [open, setOpen] = useState<string | null>(null)
  const parts: { title: string; content: ComponentChildren }[] = [
    { title: 'Open book', content: <OpenBook {...props} /> },
    { title: 'Last trades', content: <LastTrades network={props.network} market={props.market} /> },
    {
      title: 'Markets',
      content: props.markets ?? <MarketList network={props.network} onChoose={() => setOpen(null)} />,
    },
  ]
  const shown = parts.find(({ title }) => title === open)
  return (
    <div class="market-parts">
      {parts.map(({ title, content }) => (
        <section key={title} class="panel market-part" aria-label={title}>
          <h2>{title}</h2>
          {content}
        </section>
      ))}
      <p class="market-sheets">
        {parts.map(({ title }) => (
          <button key={title} type="button" onClick={() => setOpen(title)}>
            {title}
          </button>
        ))}
      </p>
      <Dialog title={shown?.title ?? ''} isOpen={shown !== undefined} close={() => setOpen(null)}>
        {shown?.content}
      </Dialog>
    </div>
  )
}

/** Limit orders of a market on both sides of its price, and what an amount would trade for now. */
const OpenBook = ({ network, market, price, executable }: Props) => {
  const { data, failure } = useDepth(network, market)
  if (!market || !data) return <p class="muted">{failure ? 'The book is unavailable.' : market ? 'Loading …' : '–'}</p>
  const [sells, buys] = [buildBook(data.sells, market, maxLevels), buildBook(data.buys, market, maxLevels)]
  const most = Math.max(...[...sells, ...buys].map(({ size }) => size), 0)
  return (
    <>
      <BookSide side="sells" levels={sells.toReversed()} most={most} />
      <p class="book-mid">
        <strong class="number">{price === undefined ? '–' : formatMarketPrice(price)}</strong>
        {executable && (
          <span class="fine">
            {executable.size} now: <span class="number">{formatChange(executable.impact)}</span>
          </span>
        )}
      </p>
      <BookSide side="buys" levels={buys} most={most} />
      <p class="fine">Limit orders only; pools fill at the market price.</p>
    </>
  )
}

const BookSide = ({ side, levels, most }: { side: 'sells' | 'buys'; levels: BookLevel[]; most: number }) => (
  <table class={`book ${side}`}>
    <caption class="visually-hidden">{side === 'sells' ? 'Sell orders' : 'Buy orders'}</caption>
    <tbody>
      {levels.map(({ price, size }) => (
        <tr key={price} style={{ '--share': `${(size / most) * 100}%` }}>
          <th scope="row" class="number">
            {formatMarketPrice(price)}
          </th>
          <td class="number">{formatSize(size)}</td>
          <td class="fine">{side}</td>
        </tr>
      ))}
      {levels.length === 0 && (
        <tr>
          <td class="muted">{side === 'sells' ? 'No open sell orders' : 'No open buy orders'}</td>
        </tr>
      )}
    </tbody>
  </table>
)

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const dayMs = 86_400_000

const LastTrades = ({ network, market }: Pick<Props, 'network' | 'market'>) => {
  const { data, failure } = useTrades(network, market, { limit: maxTrades })
  if (!market || !data)
    return <p class="muted">{failure ? 'The trades are unavailable.' : market ? 'Loading …' : '–'}</p>
  if (data.length === 0) return <p class="muted">No trades yet.</p>
  return (
    <table class="last-trades">
      <caption class="visually-hidden">Last trades</caption>
      <tbody>
        {data.map((trade) => {
          const { side, size, price } = toFill(network, market, trade)
          const time = Date.parse(trade.time)
          return (
            <tr key={`${trade.blockNumber} ${trade.logIndex}`}>
              <td class="number muted">
                <a href={paths.order(network.name, trade.orderUid)}>
                  {(Date.now() - time > dayMs ? day : clock).format(time)}
                </a>
              </td>
              <td class="number">
                {formatSize(size)} {market.base.symbol}
              </td>
              <td class={`number ${side === 'buys' ? 'good' : 'bad'}`}>
                <span class="visually-hidden">{side === 'buys' ? 'bought at ' : 'sold at '}</span>
                {formatMarketPrice(price)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
