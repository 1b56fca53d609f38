import { useEffect, useRef } from 'preact/hooks'
import { flashTitle } from '../../browser/flashTitle.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import type { Order } from '../../order/loading/loadOrder.ts'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { useToast } from '../../ui/elements/ToastProvider.tsx'
import { findFills } from './findFills.ts'

/**
 * Announces each fill of a live list over the page, and in the title of its tab.
 * @param posted UID of the order placed last on this page; empty: none
 */
export const useFillToasts = (network: Network, orders: readonly Order[] | undefined, posted: string): void => {
  const show = useToast()
  const before = useRef(orders)
  const placed = useRef(new Set<string>())
  placed.current.add(posted)
  useEffect(() => {
    if (!orders) return
    for (const order of findFills(before.current, orders, placed.current)) {
      show({
        id: order.uid,
        tone: 'ok',
        label: 'Filled',
        text: (
          <>
            Sold <TokenAmount network={network} token={toPaidToken(network, order)} amount={order.executedSellAmount} />{' '}
            for <TokenAmount network={network} token={order.buyToken} amount={order.executedBuyAmount} />
          </>
        ),
        href: paths.order(network.name, order.uid),
      })
      flashTitle('✓ Order filled')
    }
    before.current = orders
  }, [network, orders, show])
}
