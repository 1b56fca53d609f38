import type { ComponentChildren } from 'preact'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import type { Order, Trade } from '../loading/loadOrder.ts'
import type { Exchange } from '../terms/formatPrice.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { computePrices } from './computePrices.ts'
import type { Gain } from './computeQuoteGain.ts'
import { FeeList } from './FeeList.tsx'
import { sumPartnerFees } from './findPartnerPolicies.ts'
import { GainText } from './GainText.tsx'
import { toWholeFill } from './toWholeFill.ts'

type Props = { network: Network; order: Order; pair: TokenPair; trades: readonly Trade[] }

type Row = { name: string; exchange: Exchange | null; gain: Gain | null }

/** Limit, quote and execution of an order with its gains and fees. */
export const PricesPanel = ({ network, order, pair, trades }: Props) => {
  const prices = computePrices(order, toWholeFill(order), sumPartnerFees(order, trades))
  const gained = order.kind === 'sell' ? pair.buy : pair.sell
  const rows: Row[] = [
    { name: 'Limit price', exchange: prices.limit, gain: prices.surplus },
    { name: 'Quoted price', exchange: prices.quote, gain: prices.improvement },
    { name: 'Executed price', exchange: prices.executed, gain: null },
  ]
  return (
    <section class="panel" aria-labelledby="prices">
      <h2 id="prices">Receipt</h2>
      <dl class="facts">
        <Amount name={order.kind === 'sell' ? 'Signed minimum' : 'Signed maximum'}>
          <TokenAmount
            network={network}
            token={gained}
            amount={order.kind === 'sell' ? order.buyAmount : order.sellAmount}
          />
        </Amount>
        {rows.map(({ name, exchange, gain }) => (
          <Amount key={name} name={name}>
            {exchange ? (
              <>
                <span class="number">{pair.formatRate(exchange) ?? '…'}</span> <span class="fine">{pair.rateUnit}</span>
              </>
            ) : (
              <span class="muted">–</span>
            )}
            {gain && (
              <span class="price-gain fine">
                <GainText network={network} token={gained} gain={gain} />
              </span>
            )}
          </Amount>
        ))}
      </dl>
      {prices.executed ? (
        <FeeList network={network} order={order} pair={pair} trades={trades} />
      ) : (
        <p class="fine">
          {order.feeAmount === '0' ? 'Fees are part of the price: ' : 'The signed fee is charged with the fill: '}
          you pay only if the order fills.
        </p>
      )}
    </section>
  )
}

const Amount = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
