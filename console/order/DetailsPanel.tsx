import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { formatDayAndClock } from '../ui/formatClock.ts'
import { HexText } from '../ui/HexText.tsx'
import { TimeText } from '../ui/TimeText.tsx'
import { AccountName } from '../wallet/AccountName.tsx'
import type { Victory } from './competition/findVictory.ts'
import type { Order } from './loading/loadOrder.ts'
import { describeOnchainCancel } from './state/describeOnchainCancel.ts'
import { describeState } from './state/describeState.ts'
import { PartOf } from './strategies/PartOf.tsx'
import type { TokenPair } from './terms/useTokenPair.ts'

const schemes: Record<Order['signingScheme'], string> = {
  eip712: 'EIP-712',
  ethsign: 'Signed message',
  eip1271: 'Contract (EIP-1271)',
  presign: 'On-chain signature',
}

type Props = { network: Network; order: Order; pair: TokenPair; victory: Victory | null }

/** Terms of an order beside its amounts. */
export const DetailsPanel = ({ network, order, pair, victory }: Props) => {
  const { isOpen } = describeState(order)
  const onchainCancel = isOpen ? describeOnchainCancel(order) : undefined
  const validTo = (order.ethflowData?.userValidTo ?? order.validTo) * 1_000
  const toAccount = (account: string) => paths.account(network.name, account)
  const hasRecipient = order.receiver !== null && order.receiver !== order.owner
  return (
    <section class="panel" aria-labelledby="details">
      <h2 id="details">Details</h2>
      <dl class="facts details">
        <div>
          <dt>Kind</dt>
          <dd>
            {order.kind === 'sell' ? 'Sell' : 'Buy'},{' '}
            {order.partiallyFillable ? 'partial fills allowed' : 'fill or kill'}
          </dd>
        </div>
        <div>
          <dt>Valid until</dt>
          <dd>
            {formatDayAndClock(validTo)}
            {isOpen && (
              <span class="fine">
                {' '}
                <TimeText time={validTo} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Recipient</dt>
          <dd>
            {hasRecipient && order.receiver !== null ? (
              <>
                <HexText value={order.receiver} label="recipient" href={toAccount(order.receiver)} />{' '}
                <AccountName network={network} address={order.receiver} />
              </>
            ) : (
              'Owner'
            )}
          </dd>
        </div>
        {order.onchainUser !== undefined && (
          <div>
            <dt>Placed for</dt>
            <dd>
              <HexText value={order.onchainUser} label="account" href={toAccount(order.onchainUser)} />{' '}
              <AccountName network={network} address={order.onchainUser} />
            </dd>
          </div>
        )}
        <div>
          <dt>Signature</dt>
          <dd>{schemes[order.signingScheme]}</dd>
        </div>
        {victory && (
          <div class="settled-by">
            <dt>Settled by</dt>
            <dd>
              <SolverText network={network} address={victory.winner.solver} isBrief />
              <span class="fine">{describeMargin(network, order, pair, victory)}</span>
            </dd>
          </div>
        )}
        {onchainCancel !== undefined && (
          <div class="to-cancel">
            <dt>To cancel it</dt>
            <dd>{onchainCancel}</dd>
          </div>
        )}
        <PartOf network={network} order={order} />
      </dl>
    </section>
  )
}

const describeMargin = (network: Network, order: Order, pair: TokenPair, { winner, next, advantage }: Victory) => {
  if (!next) return 'the only solver that offered to fill it'
  if (advantage !== null && advantage !== 0n) {
    const amount = (
      <TokenAmount
        network={network}
        token={order.kind === 'sell' ? pair.buy : pair.sell}
        amount={advantage < 0n ? -advantage : advantage}
      />
    )
    return (
      <>
        {amount} {advantage > 0n ? 'more' : 'less'} for this order than the runner-up
      </>
    )
  }
  if (winner.score === next.score) return 'the runner-up offered the same'
  return (
    <>
      <NativeAmount network={network} amount={winner.score - next.score} /> more score than the runner-up
    </>
  )
}
