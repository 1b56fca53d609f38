import type { ComponentChildren } from 'preact'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import type { Order, Trade } from '../loading/loadOrder.ts'
import type { Exchange } from '../terms/formatPrice.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { computeFees, type PolicyFee } from './computeFees.ts'
import { computePrices, type Gain, toWholeFill } from './computePrices.ts'
import { GainText } from './GainText.tsx'

type Props = { network: Network; order: Order; pair: TokenPair; trades: readonly Trade[] }

type Row = { name: string; exchange: Exchange | null; gain: Gain | null }

const policyNames: Record<PolicyFee['kind'], string> = {
  volume: 'of the volume',
  surplus: 'of the surplus',
  priceImprovement: 'of the price improvement',
}

/** Limit, quote and execution of an order with what it gained, and its fees. */
export const PricesPanel = ({ network, order, pair, trades }: Props) => {
  const prices = computePrices(order, toWholeFill(order))
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

const FeeList = ({ network, order, pair, trades }: Props) => {
  const fees = computeFees(order, trades)
  return (
    <dl class="facts fees">
      <div>
        <dt>Total fees</dt>
        <dd>
          <TokenAmount
            network={network}
            token={fees.token === order.sellToken ? pair.sell : fees.token}
            amount={fees.total}
          />
        </dd>
      </div>
      {fees.signed > 0n && (
        <div>
          <dt>Signed fee</dt>
          <dd>
            <TokenAmount network={network} token={pair.sell} amount={fees.signed} />
          </dd>
        </div>
      )}
      {fees.network !== null && (fees.signed === 0n || fees.network > 0n) && (
        <div>
          <dt>Network cost{fees.policies.length > 0 && ' (approx.)'}</dt>
          <dd>
            <TokenAmount network={network} token={pair.sell} amount={fees.network} />
          </dd>
        </div>
      )}
      {fees.policies.map(({ kind, factor, token, atoms }, place) => (
        <div key={`${place} ${kind}`}>
          <dt>
            Protocol or partner fee, {toPercent(factor)} {policyNames[kind]}
          </dt>
          <dd>
            <TokenAmount network={network} token={token} amount={atoms} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Factors are JSON numbers; beyond four digits of a percentage they contain binary noise. */
const toPercent = (factor: number): string => `${Number((factor * 100).toFixed(4))} %`
