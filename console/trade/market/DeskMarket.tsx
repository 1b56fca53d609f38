import type { Level } from '../../market/chart/CandleChart.tsx'
import { MarketChart } from '../../market/MarketChart.tsx'
import { type Executable, MarketParts } from '../../market/MarketParts.tsx'
import { formatMarketPrice, formatSize, type Market } from '../../market/market.ts'
import { isOfMarket, toFill } from '../../market/toFill.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { describeOnchainCancel } from '../../order/state/describeOnchainCancel.ts'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { formatChange } from '../../ui/formatChange.ts'
import type { Draft } from '../draft/draft.ts'
import { toUnit } from '../draft/toUnit.ts'
import { toPair } from '../draft/tradableToken.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { computeValueChange } from '../quote/computeValueChange.ts'
import { toExpected } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'
import { describeAmount } from '../signing/describeAmount.ts'
import { CancelLine } from './CancelLine.tsx'
import { toShownMarket } from './toShownMarket.ts'

type Props = {
  network: Network
  draft: Draft
  /** tokens are loading */
  isLoading: boolean
  prices: UsdPrices | undefined
  owner: string | null
  /** of the owner */
  orders: readonly Order[] | undefined
  offer: Offer | null
  change: ChangeTerms
}

/** The market of the form with the account's orders in it. The line of a limit order is dragged. */
export const DeskChart = ({ network, draft, isLoading, prices, owner, orders, change }: Omit<Props, 'offer'>) => {
  const { market, price, isInverted } = toShownMarket(draft, prices)
  if (!toPair(draft) && !isLoading) return null
  const limit = draft.price && Number(draft.price.numerator) / Number(draft.price.denominator)
  const level = limit === undefined ? undefined : isInverted ? 1 / limit : limit
  const form: Level[] =
    market && level !== undefined
      ? [
          {
            key: 'form',
            side: isInverted ? 'buys' : 'sells',
            price: level,
            label: `Your limit ${formatMarketPrice(level)}${describeDistance(level, price)}`,
            // the price of the market is that of the form, in the unit of its base token
            onMove: (moved) => change({ price: toPlain(moved), per: isInverted ? 'buy' : 'sell' }),
          },
        ]
      : []
  const own = market ? listOwn(network, market, orders ?? []) : []
  const lines = own.map(
    ({ order, side, size, price: at }): Level => ({
      key: order.uid,
      side,
      price: at,
      label: `${side === 'sells' ? 'Sell' : 'Buy'} ${formatSize(size)} ${market?.base.symbol ?? ''} at ${formatMarketPrice(at)}${describeDistance(at, price)}`,
      action: describeOnchainCancel(order) ? undefined : <CancelLine network={network} uid={order.uid} />,
    }),
  )
  return (
    <MarketChart
      network={network}
      market={market}
      price={price}
      isLoading={isLoading || prices === undefined}
      owner={owner}
      levels={[...lines, ...form]}
      onInvert={() => change(toUnit(isInverted ? 'sell' : 'buy', draft))}
    />
  )
}

/** Open book, last trades and markets of the form. */
export const DeskParts = ({ network, draft, prices, offer }: Pick<Props, 'network' | 'draft' | 'prices' | 'offer'>) => {
  const { market, price } = toShownMarket(draft, prices)
  return <MarketParts network={network} market={market} price={price} executable={toExecutable(draft, offer, prices)} />
}

const toExecutable = (draft: Draft, offer: Offer | null, prices: UsdPrices | undefined): Executable | undefined => {
  const pair = toPair(draft)
  if (!offer || !pair || !prices || draft.amount === undefined) return undefined
  const toSide = ({ address, decimals }: (typeof pair)['sell']) => ({ decimals, usd: prices.get(address) })
  const impact = computeValueChange(toExpected(offer.quote), toSide(pair.sell), toSide(pair.buy))
  const exact = draft.kind === 'sell' ? pair.sell : pair.buy
  return impact === undefined ? undefined : { size: describeAmount(exact, draft.amount, 6), impact }
}

/** Lines of a chart at most. */
const maxLines = 12

const listOwn = (network: Network, market: Market, orders: readonly Order[]) =>
  orders
    .filter((order) => order.status === 'open' && order.sellAmount !== '0' && isOfMarket(network, market, order))
    .slice(0, maxLines)
    .map((order) => ({ order, ...toFill(network, market, order) }))

const describeDistance = (price: number, market: number | undefined): string =>
  market === undefined ? '' : ` · ${formatChange(price / market - 1)} away`

/** Significant digits of a dragged price. */
const dragDigits = 5
const toPlain = (price: number): string => {
  const decimals = Math.min(Math.max(dragDigits - 1 - Math.floor(Math.log10(price)), 0), 18)
  return Number(price.toPrecision(dragDigits)).toFixed(decimals)
}
