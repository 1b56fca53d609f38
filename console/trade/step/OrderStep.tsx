import { useRef } from 'preact/hooks'
import type { Holding } from '../../actions/balances.ts'
import type { useApproval } from '../../actions/useApproval.ts'
import type { PermitSigner } from '../../actions/usePermit.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { useNow } from '../../ui/useNow.ts'
import type { Abilities } from '../../wallet/readAbilities.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { isFresh } from '../quote/isFresh.ts'
import type { QuoteState } from '../quote/useQuote.ts'
import { Receipt } from '../receipt/Receipt.tsx'
import { computeSignedAmounts } from '../signing/computeSignedAmounts.ts'
import { describeOrder } from '../signing/describeOrder.ts'
import type { SignedTerms } from '../signing/prepareOrder.ts'
import type { useOnchainTrade } from '../signing/useOnchainTrade.ts'
import type { useOrderPosting } from '../signing/useOrderPosting.ts'
import { ApproveStep } from './ApproveStep.tsx'
import { computeNextStep, type NextStep } from './computeNextStep.ts'
import { LossStep } from './LossStep.tsx'
import { NextAction } from './NextAction.tsx'
import { PermitStep } from './PermitStep.tsx'
import { PostingOutcome } from './PostingOutcome.tsx'
import { Risks } from './Risks.tsx'
import { useLosses } from './useLosses.ts'

type Props = {
  network: Network
  draft: Draft
  isLoading: boolean
  /** the terms suffice for a quote */
  isRequested: boolean
  quote: QuoteState
  /** of the sell token; undefined: unknown */
  holding: Holding | undefined
  /** the balances are on their way */
  isReadingBalances: boolean
  prices: UsdPrices | undefined
  posting: ReturnType<typeof useOrderPosting>
  approval: ReturnType<typeof useApproval>
  /** the sell token changes an approval above 0 only after one of 0 */
  isReset: boolean
  onchain: ReturnType<typeof useOnchainTrade>
  abilities: Abilities | undefined
  /** vault relayer's allowance of the wrapped native token, wei */
  wrappedAllowance: bigint | undefined
  permit: PermitSigner
  /** document of the quote request */
  appData: string
  /** the settings allow losses above the cap */
  isUncapped: boolean
  /** UID of the order that this one replaces; empty: none */
  replaces: string
}

/** The receipt of the order and the next step. */
export const OrderStep = (props: Props) => {
  const { network, draft, isLoading, isRequested, quote, holding, prices, posting, approval, onchain } = props
  const { isReset, isReadingBalances, abilities, wrappedAllowance, permit, appData, isUncapped, replaces } = props
  const { connection, failure: walletFailure } = useWallet()
  const now = useNow()
  const { state } = posting
  const isSigning = state.phase === 'permitting' || state.phase === 'signing' || state.phase === 'posting'
  const isBusy = isSigning || onchain.task !== null
  const busyTerms = isSigning ? state.terms : onchain.task?.terms
  const offer = quote.offer && (isBusy || isFresh(quote.offer, now)) ? quote.offer : null
  const signed = computeSignedAmounts(draft, offer?.quote ?? null)
  // the displayed order stays while the wallet signs it, whatever changes in the form
  const shown = busyTerms ?? (signed && { draft, signed })
  const isRequesting = !offer && !quote.failure
  const facts = { draft, isLoading, signed, isRequesting, wallet: connection, network, holding, abilities }
  const step = computeNextStep({ ...facts, isReadingBalances, wrappedAllowance, hasPermit: permit.isOffered })
  const terms = toLossTerms(draft)
  const losses = useLosses(shown && { ...shown, quote: offer?.quote ?? null, prices }, terms, isUncapped)
  const guard = isBusy || !isSigned(step) ? 'none' : losses.guard
  const panel = useRef<HTMLElement>(null)
  // the clicked button is replaced, so the focus moves here
  const keepFocus = () => panel.current?.focus({ preventScroll: true })
  return (
    <section ref={panel} class="order-step" aria-label="Order to sign" tabIndex={-1}>
      {busyTerms ? (
        <Terms {...busyTerms} />
      ) : (
        <Receipt
          draft={draft}
          quote={{ ...quote, offer }}
          signed={signed}
          isRequested={isRequested}
          prices={prices}
          hasPermit={step.do === 'permit'}
        />
      )}
      <Risks risks={losses.risks} />
      <ErrorNotice text={connection && walletFailure} />
      {step.do === 'approve' && permit.isRefused && (
        <p class="notice warning" role="alert">
          The token refused the signed approval. Nothing was sent; approve it by a transaction.
        </p>
      )}
      {step.do === 'approve' && permit.isTaken && (
        <p class="notice">
          An open order of yours brings its own approval by signature, and the token accepts one at a time. This order
          needs a transaction, or wait until that one ends.
        </p>
      )}
      {guard !== 'none' ? (
        <LossStep
          guard={guard}
          share={losses.share}
          accept={() => {
            keepFocus()
            losses.accept()
          }}
        />
      ) : step.do === 'approve' && !isBusy ? (
        <ApproveStep
          network={network}
          draft={draft}
          needed={step.needed}
          approval={approval}
          isReset={isReset}
          keepFocus={keepFocus}
        />
      ) : step.do === 'permit' && !isBusy ? (
        <PermitStep
          network={network}
          draft={draft}
          needed={step.needed}
          sign={(value) => {
            keepFocus()
            void posting.signAndSend(draft, quote.offer, { appData, permit: { sign: permit.sign, value }, replaces })
          }}
          decline={permit.decline}
        />
      ) : (
        <NextAction
          network={network}
          draft={draft}
          quote={quote}
          posting={posting}
          onchain={onchain}
          step={step}
          keepFocus={keepFocus}
          appData={appData}
        />
      )}
      <PostingOutcome state={posting.state} send={posting.send} />
      <ErrorNotice text={onchain.failure} />
    </section>
  )
}

const Terms = ({ draft, signed }: SignedTerms) => (
  <div class="signing-terms">
    <h2>Check what you sign</h2>
    <ul class="terms">
      {describeOrder(draft, signed).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </div>
)

/** Steps that end with a signed order. */
const isSigned = (step: NextStep): boolean =>
  ['sign', 'permit', 'presign'].includes(step.do) || (step.do === 'transact' && step.route === 'native')

/** What an accepted loss belongs to. */
const toLossTerms = ({ kind, type, sell, buy, amount, price, slippageBps, receiver }: Draft): string =>
  [kind, type, sell?.address, buy?.address, amount, price?.numerator, price?.denominator, slippageBps, receiver].join()
