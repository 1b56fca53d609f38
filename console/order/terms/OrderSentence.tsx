import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import type { Order } from '../loading/loadOrder.ts'
import { isPartlyFilled } from '../state/describeState.ts'
import type { TokenPair } from './useTokenPair.ts'

/** `Sold 0.5 WETH for 1,494.92 USDC` once it is filled, in whole or in part; `Sell 1 WETH → 3,300 USDC` before. */
export const OrderSentence = ({ network, order, pair }: { network: Network; order: Order; pair: TokenPair }) => {
  const { kind } = order
  const isOpen = order.status === 'open' || order.status === 'presignaturePending'
  const isDone = order.status === 'fulfilled' || (isPartlyFilled(order) && !isOpen)
  const [sellAmount, buyAmount] = isDone
    ? [order.executedSellAmount, order.executedBuyAmount]
    : [order.sellAmount, order.buyAmount]
  const sold = <TokenAmount network={network} token={pair.sell} amount={sellAmount} />
  const bought = <TokenAmount network={network} token={pair.buy} amount={buyAmount} />
  if (isDone)
    return kind === 'sell' ? (
      <>
        Sold {sold} for {bought}
      </>
    ) : (
      <>
        Bought {bought} for {sold}
      </>
    )
  return kind === 'sell' ? (
    <>
      Sell {sold} → {bought}
    </>
  ) : (
    <>
      Buy {bought} ← {sold}
    </>
  )
}
