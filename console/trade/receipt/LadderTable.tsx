import { formatAmount } from '../../ui/formatAmount.ts'
import type { Draft } from '../draft/draft.ts'
import type { TradablePair } from '../draft/tradableToken.ts'
import type { Quote } from '../quote/quote.ts'
import { buildLadder } from './buildLadder.ts'

type Props = { draft: Draft; pair: TradablePair; quote: Quote }

/** From the market price to the signed amount, cost by cost. */
export const LadderTable = ({ draft, pair: { sell, buy }, quote }: Props) => {
  const { kind, amount, limit } = draft
  const [exact, other] = kind === 'sell' ? [sell, buy] : [buy, sell]
  const verb = kind === 'sell' ? 'Sell' : 'Buy'
  return (
    <table class="ladder">
      <caption>
        {verb} exactly {formatAmount(amount ?? 0n, exact.decimals, 12)} {exact.symbol}
      </caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" class="numeric">
            {kind === 'sell' ? 'Received' : 'Sent'}, {other.symbol ?? 'tokens'}
          </th>
          <th scope="col" class="numeric">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {buildLadder(quote, { kind, limit }).map(({ label, amount: step, change }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="numeric">{formatAmount(step, other.decimals, 8)}</td>
            <td class="numeric muted">
              {change === null
                ? ''
                : change === 0n
                  ? '–'
                  : `${change > 0n ? '+' : ''}${formatAmount(change, other.decimals, 4)}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
