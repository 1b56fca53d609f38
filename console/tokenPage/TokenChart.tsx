import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from '../tokens/token.ts'
import { PriceChart } from '../ui/chart/PriceChart.tsx'
import { toPriceSeries } from '../ui/chart/toPriceSeries.ts'
import { Segmented } from '../ui/elements/Segmented.tsx'
import { shorten } from '../ui/shorten.ts'

/** Time that the chart shows, and the candles that cover it. */
const spans = {
  day: { label: '1D', interval: '5m', intervalMs: 300_000, count: 288 },
  week: { label: '1W', interval: '1h', intervalMs: 3_600_000, count: 168 },
  quarter: { label: '3M', interval: '1d', intervalMs: 86_400_000, count: 90 },
} as const
type Span = keyof typeof spans
const labels = { day: spans.day.label, week: spans.week.label, quarter: spans.quarter.label }

const everyMs = 30_000
const significant = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 })

type Props = {
  network: Network
  token: Token
  /** prices the token; undefined: none, or not known yet */
  quote: Token | undefined
  isLoading: boolean
}

/** Price of a token in another one over time, from the price samples of this service. */
export const TokenChart = ({ network, token, quote, isLoading }: Props) => {
  const location = useLocation()
  const given = location.query.span
  const span: Span = given === 'week' || given === 'quarter' ? given : 'day'
  const { interval, intervalMs, count } = spans[span]
  const { data, failure } = useRequest(
    quote ? `candles ${network.name} ${token.address} ${quote.address} ${span}` : null,
    (signal) =>
      read(
        client.GET('/{chainId}/markets/{pair}/candles', {
          params: {
            path: { chainId: network.name, pair: `${token.address}-${quote?.address}` },
            query: { interval, count },
          },
          signal,
        }),
      ),
    everyMs,
  )
  const points = toPriceSeries(data?.candles ?? [], false, (time) => Math.min(time + intervalMs, Date.now()))
  const name = `${token.symbol ?? shorten(token.address)} / ${quote?.symbol ?? 'token'}`
  return (
    <section class="panel token-chart">
      <div class="panel-head">
        <h2>{quote ? name : 'Price'}</h2>
        <Segmented
          label="Time"
          choices={labels}
          value={span}
          onChoose={(chosen) => location.route(withQuery(location, { span: chosen === 'day' ? null : chosen }))}
        />
      </div>
      <PriceChart
        label={`Price of ${name}`}
        points={points}
        gapMs={intervalMs}
        formatPrice={(price) => significant.format(price)}
      >
        {describeMissing(isLoading || (quote !== undefined && !data && !failure), failure?.message)}
      </PriceChart>
    </section>
  )
}

const describeMissing = (isLoading: boolean, failure: string | undefined): string =>
  isLoading
    ? 'Loading …'
    : failure !== undefined
      ? `Prices are unavailable: ${failure}`
      : 'Not enough prices in this time for a chart. It grows with each sample, every five minutes.'
