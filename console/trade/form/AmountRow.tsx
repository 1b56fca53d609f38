import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { LiveBalances } from '../../actions/useBalances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { isListed } from '../../tokens/isListed.ts'
import { TokenPicker } from '../../tokens/picker/TokenPicker.tsx'
import type { Token } from '../../tokens/token.ts'
import { Chip } from '../../ui/elements/Chip.tsx'
import { NumberInput } from '../../ui/elements/NumberInput.tsx'
import { formatUsd } from '../../ui/formatUsd.ts'
import { HexText } from '../../ui/HexText.tsx'
import { localize } from '../../ui/numbers.ts'
import { toPlainText } from '../../ui/toPlainText.ts'
import type { TradableToken } from '../draft/tradableToken.ts'
import { BalanceText } from './BalanceText.tsx'

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
  /** it follows from the other side, and cannot be typed */
  isDerived?: boolean
  typed: string
  /** for the exact amount of the other side, atoms */
  estimate: bigint | undefined
  /** displayed value, atoms */
  atoms: bigint | undefined
  /** beside the value in US dollars */
  note?: ComponentChildren
  fault: string | undefined
  tokenFault: string | undefined
  onAmount: (typed: string) => void
  onToken: (address: string) => void
}

/** Of an amount that changes with each quote. */
const estimateDigits = 6

const labels = { sell: 'Sell', buy: 'Buy' } as const

/** A token and its amount; typing an amount makes it the exact one. */
export const AmountRow = (props: Props) => {
  const { network, side, tokens, token, address, live, usdPrice, isExact, typed, estimate, atoms, onAmount } = props
  const id = useId()
  const estimateText = token && estimate !== undefined ? toPlainText(estimate, token.decimals, estimateDigits) : ''
  const text = isExact ? typed : estimateText
  const faultId = props.fault ? `${id}-fault` : undefined
  const tokenFaultId = props.tokenFault ? `${id}-token` : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot share its line with the balance
    <div class={`amount-row ${side}`} role="group" aria-labelledby={`${id}-label`}>
      <div class="amount-head">
        <span id={`${id}-label`}>{labels[side]}</span>
        <BalanceText side={side} token={token} address={address} live={live} onAmount={onAmount} />
      </div>
      <div class="amount-fields">
        <NumberInput
          id={id}
          class={`amount-input ${toSize(localize(text))}`}
          aria-label={isExact ? 'Exact amount' : 'Estimated amount'}
          placeholder="0"
          value={text}
          onValue={onAmount}
          readOnly={props.isDerived ?? false}
          aria-invalid={faultId !== undefined}
          aria-describedby={faultId}
        />
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
      <p class="amount-value">
        {describeValue(atoms, token, usdPrice)}
        {props.note}
      </p>
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
      {token && !isListed(tokens, address) && (
        <p class="unlisted">
          <Chip tone="act">Unlisted token: check its address</Chip> <HexText value={address} label="token address" />
        </p>
      )}
    </div>
  )
}

/** Long amounts are smaller, so that they stay visible. */
const toSize = ({ length }: string): string =>
  length > 17 ? 'longest' : length > 12 ? 'longer' : length > 9 ? 'long' : ''

const describeValue = (
  atoms: bigint | undefined,
  token: TradableToken | undefined,
  usdPrice: number | null | undefined,
): string => {
  if (atoms === undefined || usdPrice === undefined || !token) return '\u00a0'
  if (usdPrice === null) return 'No dollar price'
  return formatUsd(atoms, token.decimals, usdPrice)
}
