import { useNetwork } from '../../networks/NetworksProvider.tsx'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { localize } from '../../ui/numbers.ts'
import { shorten } from '../../ui/shorten.ts'
import { AccountName } from '../../wallet/AccountName.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { findValidityChoices } from '../draft/validity.ts'
import type { Quote } from '../quote/quote.ts'
import { toSlippageBps } from '../quote/toSlippageBps.ts'
import { describeAmount } from '../signing/describeAmount.ts'
import { ReceiptLine } from './ReceiptLine.tsx'

const untilFormat = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

type Props = {
  draft: Draft
  signed: Amounts | undefined
  quote: Quote | null /** a quote is on its way */
  isLoading: boolean
}

/** Terms of the order that the signature fixes. */
export const TermLines = ({ draft, signed, quote, isLoading }: Props) => {
  const { kind, type, sell, buy, receiver, isPartiallyFillable, validFor } = draft
  const network = useNetwork()
  const slippageBps = toSlippageBps(draft, quote)
  const validity = findValidityChoices({ type, validFor }).find(({ seconds }) => seconds === validFor)?.label
  const limit =
    signed && (kind === 'sell' ? describeAmount(buy, signed.buyAmount) : describeAmount(sell, signed.sellAmount))
  return (
    <>
      <ReceiptLine name={kind === 'sell' ? 'Minimum received' : 'Maximum sent'}>
        {limit ? <strong>{limit}</strong> : isLoading ? <Skeleton width="6rem" /> : '–'}
      </ReceiptLine>
      {type === 'market' && (
        <ReceiptLine name={draft.slippageBps === 'auto' ? 'Max. slippage · auto' : 'Max. slippage'}>
          {slippageBps !== undefined ? (
            `${localize(String(slippageBps / 100))} %`
          ) : isLoading ? (
            <Skeleton width="3rem" />
          ) : (
            '–'
          )}
        </ReceiptLine>
      )}
      <ReceiptLine name={type === 'limit' ? 'Valid until' : 'Valid for'}>
        {type === 'limit' ? untilFormat.format(Date.now() + validFor * 1_000) : validity}
      </ReceiptLine>
      {isPartiallyFillable && <ReceiptLine name="Partial fills">Allowed</ReceiptLine>}
      {receiver && (
        <ReceiptLine name="Recipient" class="other-recipient">
          <code title={receiver}>{shorten(receiver)}</code> <AccountName network={network} address={receiver} />
        </ReceiptLine>
      )}
    </>
  )
}
