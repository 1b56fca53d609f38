import type { Holding } from '../../actions/balances.ts'
import { useApproval } from '../../actions/useApproval.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { PresignStep } from '../../order/PresignStep.tsx'
import type { RowState } from '../../order/rows/computeRowState.ts'
import { toEdit, toTradeAgain } from '../../order/rows/toTradeAgain.ts'
import { computeFilledShare } from '../../order/state/computeFilledShare.ts'
import { describeOnchainCancel } from '../../order/state/describeOnchainCancel.ts'
import { useToken } from '../../tokens/useToken.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { computePrice } from '../../ui/ratio/computePrice.ts'
import { toPlainRatio } from '../../ui/ratio/formatRatio.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import { CancelButton } from './CancelButton.tsx'

type Props = { network: Network; order: Order; state: RowState; holding: Holding | undefined }

/** The one action of an order's row: sign it on-chain, approve what it lacks, edit or cancel it, or repeat it. */
export const RowAction = (props: Props) => {
  const { order, state } = props
  if (order.status === 'presignaturePending') return <PresignStep network={props.network} order={order} isSmall />
  if (order.status !== 'open') return <TradeAgain {...props} />
  if (state.needed !== null) return <Approve {...props} needed={state.needed} />
  if (describeOnchainCancel(order)) return null
  return (
    <>
      <Edit {...props} />
      <CancelButton {...props} />
    </>
  )
}

/** Enough to repeat an amount exactly. */
const priceDigits = 18

/** Leads to the form with what is left of the order, whose signature replaces it. */
const Edit = ({ network, order }: Props) => {
  const [sell, buy] = [useToken(network, order.sellToken), useToken(network, order.buyToken)]
  const amounts = { sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount) }
  if (sell?.decimals === undefined || buy?.decimals === undefined || amounts.sellAmount === 0n) return null
  const decimals = { sell: sell.decimals, buy: buy.decimals }
  const price = toPlainRatio(computePrice(amounts, decimals), priceDigits)
  const { filled, of } = computeFilledShare(order)
  const rest = String(of - filled)
  const terms = { ...order, ...(order.kind === 'sell' ? { sellAmount: rest } : { buyAmount: rest }) }
  return (
    <a class="button small" href={toEdit(network, terms, decimals, price)}>
      Edit
    </a>
  )
}

const TradeAgain = ({ network, order }: Props) => {
  const [sell, buy] = [useToken(network, order.sellToken), useToken(network, order.buyToken)]
  if (sell?.decimals === undefined || buy?.decimals === undefined) return null
  return (
    <a class="button small" href={toTradeAgain(network, order, { sell: sell.decimals, buy: buy.decimals }, null)}>
      Trade again
    </a>
  )
}

const Approve = ({ network, order, holding, needed }: Props & { needed: bigint }) => {
  const { connection } = useWallet()
  const { state, approve } = useApproval(network, connection, {
    token: order.sellToken,
    allowance: holding?.allowance,
  })
  const isBusy = state.phase === 'confirming' || state.phase === 'mining'
  return (
    <>
      <button type="button" class="primary small" disabled={isBusy} onClick={() => approve(needed)}>
        {isBusy ? 'Approving …' : 'Approve'}
      </button>
      <ErrorNotice text={state.phase === 'failed' && state.why} />
    </>
  )
}
