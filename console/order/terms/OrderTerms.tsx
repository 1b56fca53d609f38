import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import type { Order } from '../loading/loadOrder.ts'

type Props = {
  network: Network
  order: Pick<Order, 'uid' | 'kind' | 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount' | 'feeAmount'>
}

/** `Sell 1 WETH for at least 2,500 USDC`, with the signed fee if any */
export const OrderTerms = ({ network, order }: Props) => {
  const sellToken = toPaidToken(network, order)
  const { kind, buyToken, sellAmount, buyAmount, feeAmount } = order
  const sold = <TokenAmount network={network} token={sellToken} amount={sellAmount} />
  const bought = <TokenAmount network={network} token={buyToken} amount={buyAmount} />
  const fee = feeAmount !== '0' && (
    <>
      , plus a signed fee of <TokenAmount network={network} token={sellToken} amount={feeAmount} />
    </>
  )
  return kind === 'sell' ? (
    <span>
      Sell {sold} for at least {bought}
      {fee}
    </span>
  ) : (
    <span>
      Buy {bought} for at most {sold}
      {fee}
    </span>
  )
}
