import type { Network } from '../networks/NetworksProvider.tsx'
import { TokenAmount } from '../ui/TokenAmount.tsx'
import type { Order } from './loadOrder.ts'

type Props = { network: Network; order: Pick<Order, 'kind' | 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount'> }

/** `Sell 1 WETH for at least 2,500 USDC` */
export const OrderTerms = ({ network, order: { kind, sellToken, buyToken, sellAmount, buyAmount } }: Props) => {
  const sold = <TokenAmount network={network} token={sellToken} amount={sellAmount} />
  const bought = <TokenAmount network={network} token={buyToken} amount={buyAmount} />
  return kind === 'sell' ? (
    <span>
      Sell {sold} for at least {bought}
    </span>
  ) : (
    <span>
      Buy {bought} for at most {sold}
    </span>
  )
}
