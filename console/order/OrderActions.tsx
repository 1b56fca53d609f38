import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { useToken } from '../tokens/useToken.ts'
import { computePrice } from '../ui/ratio/computePrice.ts'
import { toPlainRatio } from '../ui/ratio/formatRatio.ts'
import { useWallet } from '../wallet/WalletProvider.tsx'
import { EthFlowEnd } from './EthFlowEnd.tsx'
import { Invalidation } from './Invalidation.tsx'
import type { Order } from './loading/loadOrder.ts'
import { OwnerActions } from './OwnerActions.tsx'
import { PresignStep } from './PresignStep.tsx'
import { toTradeAgain } from './rows/toTradeAgain.ts'
import { ShareButton } from './ShareButton.tsx'
import { describeState } from './state/describeState.ts'
import type { TokenPair } from './terms/useTokenPair.ts'

type Props = { network: Network; order: Order; pair: TokenPair }

/** Next actions for a reader of an order; its connected owner can approve and cancel here. */
export const OrderActions = ({ network, order, pair }: Props) => {
  const { connection } = useWallet()
  const { action, isOpen } = describeState(order)
  const isOwner = connection?.address === order.owner && connection.chainId === network.chainId
  return (
    <div class="order-actions">
      <div class="actions">
        <PresignStep network={network} order={order} />
        <ShareButton />
        {order.status === 'open' && isOwner && <OwnerActions network={network} order={order} connection={connection} />}
        {action && !isOwner && (
          <a class="button" href={paths.tradeOrder(network.name, order.uid)}>
            {action}
          </a>
        )}
        {!isOpen && <Repeat network={network} order={order} pair={pair} />}
      </div>
      <Invalidation network={network} order={order} />
      <EthFlowEnd network={network} order={order} />
    </div>
  )
}

/** An ended order again: at the market price after a fill, at its own price after none. */
const Repeat = ({ network, order }: Props) => {
  const [sell, buy] = [useToken(network, order.sellToken), useToken(network, order.buyToken)]
  if (sell?.decimals === undefined || buy?.decimals === undefined) return null
  const decimals = { sell: sell.decimals, buy: buy.decimals }
  if (order.status === 'fulfilled')
    return (
      <a class="button primary" href={toTradeAgain(network, order, decimals, null)}>
        Trade again
      </a>
    )
  const amounts = { sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount) }
  if (amounts.sellAmount === 0n || amounts.buyAmount === 0n) return null
  const price = toPlainRatio(computePrice(amounts, decimals), priceDigits)
  return (
    <a class="button primary" href={toTradeAgain(network, order, decimals, price)}>
      New order at this price
    </a>
  )
}

/** Enough to repeat an amount exactly. */
const priceDigits = 18
