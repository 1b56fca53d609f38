import type { Network } from '../../networks/NetworksProvider.tsx'
import { useTokenPair } from '../terms/useTokenPair.ts'
import type { ConditionalOrder } from './describeConditional.ts'

type Part = ConditionalOrder['parts'][number]
type Amounts = Pick<Part, 'orderUid' | 'sellToken' | 'buyToken' | 'executedSellAmount' | 'executedBuyAmount'>
type Props = { network: Network; exchange: Amounts }

/** Price of what was executed; a dash before the first trade. */
export const PriceText = ({ network, exchange }: Props) => {
  const { executedSellAmount: sellAmount, executedBuyAmount: buyAmount } = exchange
  const pair = useTokenPair(network, { ...exchange, sellAmount, buyAmount })
  const rate = pair.formatRate({ sell: BigInt(sellAmount), buy: BigInt(buyAmount) })
  if (rate === undefined) return '–'
  return (
    <span>
      <span class="number">{rate}</span> {pair.rateUnit}
    </span>
  )
}
