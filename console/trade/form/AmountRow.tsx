import { useId } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { isListed } from '../../tokens/isListed.ts'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import { TokenPicker } from '../../tokens/TokenPicker.tsx'
import type { Token } from '../../tokens/tokenBook.ts'
import { formatAmount } from '../../ui/formatAmount.ts'
import { formatUsd } from '../../ui/formatUsd.ts'
import { HexText } from '../../ui/HexText.tsx'
import { toPlainText } from '../../ui/toPlainText.ts'
import type { TradableToken } from '../draft/tradableToken.ts'
import type { LiveBalances } from '../funds/useBalances.ts'

type Props = {
  network: Network
  side: 'sell' | 'buy'
  tokens: readonly Token[]
  token: TradableToken | undefined
  /** of the token; empty: none */
  address: string
  live: LiveBalances
  /** US dollars for a whole token; null: unknown; undefined: loading */
  usdPrice: number | null | undefined
  /** the amount of this side was typed */
  isExact: boolean
  typed: string
  /** for the exact amount of the other side, atoms */
  estimate: bigint | undefined
  /** displayed value, atoms */
  atoms: bigint | undefined
  fault: string | undefined
  tokenFault: string | undefined
  onAmount: (typed: string) => void
  onToken: (address: string) => void
}

const legends = { sell: 'You sell', buy: 'You buy' } as const

/** A token and its amount; typing an amount makes it the exact one. */
export const AmountRow = (props: Props) => {
  const { network, side, tokens, token, address, live, usdPrice, isExact, typed, estimate, atoms, onAmount } = props
  const id = useId()
  const holding = live.balances?.get(address)
  const estimateText = token && estimate !== undefined ? toPlainText(estimate, token.decimals) : ''
  const faultId = props.fault ? `${id}-fault` : undefined
  const tokenFaultId = props.tokenFault ? `${id}-token` : undefined
  return (
    <fieldset class="amount-row">
      <legend>{legends[side]}</legend>
      <div class="amount-fields">
        <div class="field">
          <label for={id}>{isExact ? 'Amount, exactly' : 'Amount, about'}</label>
          <input
            id={id}
            class="amount-input"
            inputMode="decimal"
            autocomplete="off"
            placeholder="0.0"
            value={isExact ? typed : estimateText}
            aria-invalid={faultId !== undefined}
            aria-describedby={faultId}
            onInput={(event) => onAmount(event.currentTarget.value)}
          />
        </div>
        <TokenPicker
          network={network}
          label={side === 'sell' ? 'Token to sell' : 'Token to buy'}
          tokens={tokens}
          token={token}
          value={address}
          onChoose={props.onToken}
          findBalance={(listed) => live.balances?.get(listed)?.balance}
          faultId={tokenFaultId}
        />
      </div>
      {props.fault && (
        <p id={faultId} class="fault">
          {props.fault}
        </p>
      )}
      {props.tokenFault && (
        <p id={tokenFaultId} class="fault">
          {props.tokenFault}
        </p>
      )}
      <p class="fine row-facts">
        <span>{describeValue(atoms, token, usdPrice)}</span>
        {token && !isListed(tokens, address) && <strong>Not on this order book’s list: check its address</strong>}
        {token && address !== nativeSentinel && <HexText value={address} label="token address" />}
      </p>
      {token && holding && (
        <p class="fine row-facts">
          <span title={`${holding.balance} atoms`}>
            You have{' '}
            <span class="number">
              {formatAmount(holding.balance, token.decimals)} {token.symbol}
            </span>
            {live.state !== 'live' && ' (connecting …)'}
          </span>
          {side === 'sell' && holding.balance > 0n && (
            <button
              type="button"
              class="small"
              onClick={() => onAmount(toPlainText(holding.balance, token.decimals, Number.POSITIVE_INFINITY))}
            >
              Sell all
            </button>
          )}
        </p>
      )}
      {live.state === 'lost' && <p class="fine">Your balance is not known now.</p>}
    </fieldset>
  )
}

const describeValue = (
  atoms: bigint | undefined,
  token: TradableToken | undefined,
  usdPrice: number | null | undefined,
): string => {
  if (usdPrice === null) return 'Value in US dollars unknown'
  if (atoms === undefined || usdPrice === undefined || !token) return ''
  return `About ${formatUsd(atoms, token.decimals, usdPrice)}`
}
