import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { UsdNote } from '../tokens/UsdNote.tsx'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Tile } from '../ui/elements/Tile.tsx'
import { formatDuration } from '../ui/formatDuration.ts'
import { formatShare } from '../ui/formatShare.ts'
import { HexText } from '../ui/HexText.tsx'
import type { Order, Trade } from './loading/loadOrder.ts'
import { computeFees, type OrderFees } from './prices/computeFees.ts'
import { computePrices } from './prices/computePrices.ts'
import { sumPartnerFees } from './prices/findPartnerPolicies.ts'
import { GainText } from './prices/GainText.tsx'
import { toWholeFill } from './prices/toWholeFill.ts'
import { describeState } from './state/describeState.ts'
import type { TokenPair } from './terms/useTokenPair.ts'

type Props = {
  network: Network
  order: Order
  pair: TokenPair
  trades: readonly Trade[]
  /** from the creation to the newest fill; null without a fill */
  filledAfterMs: number | null
}

/** The main figures of a filled order: time, gain, price and fees. */
export const SummaryTiles = ({ network, order, pair, trades, filledAfterMs }: Props) => {
  const { executed, surplus, improvement } = computePrices(order, toWholeFill(order), sumPartnerFees(order, trades))
  const { result } = describeState(order)
  const gained = order.kind === 'sell' ? pair.buy : pair.sell
  const fees = computeFees(order, trades)
  const feeToken = fees.token === order.sellToken ? pair.sell : fees.token
  const prices = useUsdPrices(network, executed ? [...new Set([gained, feeToken])].sort() : [])
  if (!executed || result === null) return null
  const [newest] = trades
  return (
    <section class="tiles" aria-label="Result">
      <Tile title={result} value={filledAfterMs === null ? '–' : `in ${formatDuration(filledAfterMs)}`}>
        {newest && (
          <>
            {trades.length > 1 && `${trades.length} trades, the newest in `}
            <HexText
              value={newest.txHash}
              label="transaction hash"
              href={paths.transaction(network.name, newest.txHash)}
            />
          </>
        )}
      </Tile>
      {surplus && (
        <Tile
          title={surplus.atoms >= 0n ? 'Better than limit' : 'Worse than limit'}
          value={<GainText network={network} token={gained} gain={surplus} isBrief />}
        >
          {formatShare(surplus.atoms, surplus.of)}
          <UsdNote network={network} token={gained} amount={surplus.atoms} prices={prices} />
          {improvement && (
            <>
              {' · '}
              <GainText network={network} token={gained} gain={improvement} isBrief /> vs. quote
            </>
          )}
        </Tile>
      )}
      <Tile title="Price" value={<span class="number">{pair.formatRate(executed) ?? '…'}</span>}>
        {pair.rateUnit}
      </Tile>
      <Tile title="Fees" value={<TokenAmount network={network} token={feeToken} amount={fees.total} />}>
        {describeFees(fees)}
        <UsdNote network={network} token={feeToken} amount={fees.total} prices={prices} />
        {fees.signed > 0n && (fees.signed === fees.total ? ', signed' : ', partly signed')}
      </Tile>
    </section>
  )
}

const describeFees = ({ policies }: OrderFees): string => {
  const parts = [
    'network cost',
    policies.some(({ isPartner }) => !isPartner) ? 'protocol' : '',
    policies.some(({ isPartner }) => isPartner) ? 'partners' : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
