import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { localize } from '../../ui/numbers.ts'
import type { Order, Trade } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { computeFees } from './computeFees.ts'
import type { PolicyFee } from './sumPolicyFees.ts'

type Props = { network: Network; order: Order; pair: TokenPair; trades: readonly Trade[] }

const policyNames: Record<PolicyFee['kind'], string> = {
  volume: 'of the volume',
  surplus: 'of the surplus',
  priceImprovement: 'of the price improvement',
}

/** Fees of the fills: their total and its parts. */
export const FeeList = ({ network, order, pair, trades }: Props) => {
  const fees = computeFees(order, trades)
  return (
    <dl class="facts fees">
      <div>
        <dt>Total fees</dt>
        <dd>
          <TokenAmount
            network={network}
            token={fees.token === order.sellToken ? pair.sell : fees.token}
            amount={fees.total}
          />
        </dd>
      </div>
      {fees.signed > 0n && (
        <div>
          <dt>Signed fee</dt>
          <dd>
            <TokenAmount network={network} token={pair.sell} amount={fees.signed} />
          </dd>
        </div>
      )}
      {fees.network !== null && (fees.signed === 0n || fees.network > 0n) && (
        <div>
          <dt>Network cost{fees.policies.length > 0 && ' (approx.)'}</dt>
          <dd>
            <TokenAmount network={network} token={pair.sell} amount={fees.network} />
          </dd>
        </div>
      )}
      {fees.policies.map(({ kind, factor, token, atoms, isPartner }, place) => (
        <div key={`${place} ${kind}`}>
          <dt>
            {isPartner ? 'Partner' : 'Protocol'} fee, {toPercent(factor)} {policyNames[kind]}
          </dt>
          <dd>
            <TokenAmount network={network} token={token} amount={atoms} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Factors are JSON numbers; beyond four digits of a percentage they contain binary noise. */
const toPercent = (factor: number): string => `${localize(String(Number((factor * 100).toFixed(4))))} %`
