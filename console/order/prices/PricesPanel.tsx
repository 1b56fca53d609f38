import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
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

/** Limit, quote and execution side by side, with surplus and fees. */
export const PricesPanel = ({ network, order, pair, trades }: Props) => {
  const prices = computePrices(order, toWholeFill(order))
  const gained = order.kind === 'sell' ? pair.buy : pair.sell
  const rows: Row[] = [
    { name: 'Limit', exchange: prices.limit, gain: prices.surplus },
    { name: 'Quote, after its network fee', exchange: prices.quote, gain: prices.improvement },
    { name: 'Executed', exchange: prices.executed, gain: null },
  ]
  const columns: Column<Row>[] = [
    { name: 'Price', render: ({ name }) => name },
    {
      name: pair.rateUnit,
      isNumeric: true,
      render: ({ exchange }) => (exchange ? (pair.formatRate(exchange) ?? '…') : <span class="muted">none</span>),
    },
    {
      name: 'Gained over it',
      isNumeric: true,
      render: ({ gain }) => gain && <GainText network={network} token={gained} gain={gain} />,
    },
  ]
  return (
    <section class="panel" aria-labelledby="prices">
      <h2 id="prices">Prices and fees</h2>
      <div class="two-columns">
        <DataTable caption="Prices" columns={columns} rows={rows} keyOf={({ name }) => name} />
        {prices.executed ? (
          <FeeList network={network} order={order} pair={pair} trades={trades} />
        ) : (
          <p class="muted">
            {order.feeAmount === '0'
              ? 'Fees are part of the executed price: '
              : 'The signed fee is taken with the fill: '}
            nothing is paid before something is filled.
          </p>
        )}
      </div>
      <p class="fine">
        {order.kind === 'sell'
          ? 'Surplus is what the order bought more than its limit asks for.'
          : 'Surplus is what the order sold less than its limit allows.'}
      </p>
    </section>
  )
}

const FeeList = ({ network, order, pair, trades }: Props) => {
  const fees = computeFees(order, trades)
  return (
    <dl class="facts">
      <div>
        <dt>All fees</dt>
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
          <dt>Signed fee, for gas</dt>
          <dd>
            <TokenAmount network={network} token={pair.sell} amount={fees.signed} />
          </dd>
        </div>
      )}
      {fees.network !== null && (fees.signed === 0n || fees.network > 0n) && (
        <div>
          <dt>Network fee, for gas{fees.policies.length > 0 && ', about'}</dt>
          <dd>
            <TokenAmount network={network} token={pair.sell} amount={fees.network} />
          </dd>
        </div>
      )}
      {fees.policies.map(({ kind, factor, token, atoms }, place) => (
        <div key={`${place} ${kind}`}>
          <dt>
            Protocol or partner: {toPercent(factor)} {policyNames[kind]}
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
