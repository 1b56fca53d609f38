import type { LiveBalances } from '../../actions/useBalances.ts'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import { formatAmount } from '../../ui/formatAmount.ts'
import { toPlainText } from '../../ui/toPlainText.ts'
import type { TradableToken } from '../draft/tradableToken.ts'

/** Native token reserved for the gas of later transactions, wei. */
const gasReserve = 10n ** 16n

type Props = {
  side: 'sell' | 'buy'
  token: TradableToken | undefined
  /** of the token; empty: none */
  address: string
  live: LiveBalances
  onAmount: (typed: string) => void
}

/** Balance of a token; on the sell side with a button that takes all of it. */
export const BalanceText = ({ side, token, address, live, onAmount }: Props) => {
  const holding = live.balances?.get(address)
  if (live.state === 'lost') return <span class="muted">Balance unavailable</span>
  if (!token || !holding) return null
  const { balance } = holding
  const spendable = address === nativeSentinel ? balance - gasReserve : balance
  return (
    <span>
      <span title={`${formatAmount(balance, token.decimals, Number.POSITIVE_INFINITY)} ${token.symbol ?? ''}`}>
        Balance <span class="number">{formatAmount(balance, token.decimals)}</span>
        {live.state !== 'live' && ' (connecting …)'}
      </span>
      {side === 'sell' && spendable > 0n && (
        <button
          type="button"
          class="bare max"
          aria-label={address === nativeSentinel ? 'Max: reserve some for gas' : 'Max: sell the whole balance'}
          onClick={() => onAmount(toPlainText(spendable, token.decimals, Number.POSITIVE_INFINITY))}
        >
          Max
        </button>
      )}
    </span>
  )
}
