import { useRef } from 'preact/hooks'
import type { Holding } from '../../actions/balances.ts'
import type { useApproval } from '../../actions/useApproval.ts'
import type { PermitSigner } from '../../actions/usePermit.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { Icon } from '../../ui/elements/Icon.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useNow } from '../../ui/useNow.ts'
import type { Abilities } from '../../wallet/readAbilities.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { toWrappedSale } from '../draft/findTradeRoute.ts'
import { isFresh } from '../quote/isFresh.ts'
import type { QuoteState } from '../quote/useQuote.ts'
import { Receipt } from '../receipt/Receipt.tsx'
import { ApproveStep } from './ApproveStep.tsx'
import { computeNextStep, type NextStep } from './computeNextStep.ts'
import { computeSignedAmounts } from './computeSignedAmounts.ts'
import { describeAction, describeAmount, describeOrder, describeWrapping } from './describeOrder.ts'
import { findSignedRisks } from './findSignedRisks.ts'
import { PermitStep } from './PermitStep.tsx'
import type { OnchainTask, useOnchainTrade } from './useOnchainTrade.ts'
import type { PostingState, SignedTerms, useOrderPosting } from './useOrderPosting.ts'

type Props = {
  network: Network
  draft: Draft
  isLoading: boolean
  /** the terms suffice for a quote */
  isRequested: boolean
  quote: QuoteState
  /** of the sell token; undefined: unknown */
  holding: Holding | undefined
  prices: UsdPrices | undefined
  posting: ReturnType<typeof useOrderPosting>
  approval: ReturnType<typeof useApproval>
  onchain: ReturnType<typeof useOnchainTrade>
  abilities: Abilities | undefined
  /** vault relayer's allowance of the wrapped native token, wei */
  wrappedAllowance: bigint | undefined
  permit: PermitSigner
  /** document of the quote request */
  appData: string
}

/** The receipt of the order and the next step. */
export const OrderStep = (props: Props) => {
  const { network, draft, isLoading, isRequested, quote, holding, prices, posting, approval, onchain } = props
  const { abilities, wrappedAllowance, permit, appData } = props
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
  const step = computeNextStep({ ...facts, wrappedAllowance, hasPermit: permit.isOffered })
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
      {shown && <Risks risks={findSignedRisks({ ...shown, quote: offer?.quote ?? null, prices })} />}
      {connection && walletFailure && (
        <p class="notice error" role="alert">
          {walletFailure}
        </p>
      )}
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
      {step.do === 'approve' && !isBusy ? (
        <ApproveStep network={network} draft={draft} needed={step.needed} approval={approval} keepFocus={keepFocus} />
      ) : step.do === 'permit' && !isBusy ? (
        <PermitStep
          network={network}
          draft={draft}
          needed={step.needed}
          sign={(value) => {
            keepFocus()
            void posting.signAndSend(draft, quote.offer, { appData, permit: { sign: permit.sign, value } })
          }}
          decline={permit.decline}
        />
      ) : (
        <Action {...props} step={step} keepFocus={keepFocus} />
      )}
      <Outcome state={posting.state} send={posting.send} />
      {onchain.failure !== null && (
        <p class="notice error" role="alert">
          {onchain.failure}
        </p>
      )}
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

const Risks = ({ risks }: { risks: string[] }) =>
  risks.length > 0 && (
    <p class="notice warning risks">
      <Icon name="alert" /> <span>{risks.join(' ')}</span>
    </p>
  )

type ActionProps = Props & { step: NextStep; keepFocus: () => void }

const Action = ({ network, draft, quote, posting, onchain, step, keepFocus, appData }: ActionProps) => {
  const { switchChain, openChoices, isBusy: isSwitching } = useWallet()
  const { state, signAndSend, stop } = posting
  const sign = () => {
    keepFocus()
    void signAndSend(draft, quote.offer, { appData, permit: null })
  }
  if (state.phase === 'permitting') return <Waiting label="Sign the approval in your wallet …" stop={stop} />
  if (state.phase === 'signing') return <Waiting label="Sign in your wallet …" stop={stop} />
  if (state.phase === 'posting') return <Waiting label="Sending the order …" />
  if (onchain.task) return <Waiting label={taskLabels[onchain.task.step]} stop={onchain.stop} />
  if (step.do === 'connect') return <Primary label="Connect wallet" onClick={openChoices} />
  if (step.do === 'switchChain')
    return <Primary label={`Switch to ${network.label}`} disabled={isSwitching} onClick={switchChain} />
  if (step.do === 'sign')
    return (
      <>
        <Primary label={describeAction(draft)} onClick={sign} />
        <p class="fine">Signing is free; no transaction needed.</p>
      </>
    )
  if (step.do === 'presign') {
    const start = () => {
      keepFocus()
      const sold = step.wrap === undefined ? draft : toWrappedSale(draft, network.wrappedNative)
      void onchain.presign(sold, quote.offer, { appData, approval: step.approval, wrap: step.wrap })
    }
    return (
      <>
        <Primary label={describeAction(draft)} onClick={start} />
        <p class="fine">{describePresigning(step)}</p>
      </>
    )
  }
  if (step.do === 'transact') {
    const { route } = step
    const start = () => {
      keepFocus()
      void (route === 'native' ? onchain.sell(draft, quote.offer) : onchain.wrap(route, draft.amount ?? 0n))
    }
    return (
      <>
        <Primary label={route === 'native' ? describeAction(draft) : describeWrapping(route, draft)} onClick={start} />
        <p class="fine">
          {route === 'native'
            ? `A transaction that costs gas. Cancel the order to get unsold ${network.nativeSymbol} back.`
            : 'One to one, by a transaction that costs gas.'}
        </p>
      </>
    )
  }
  if (step.do === 'wait') return <Primary label={step.why} disabled />
  if (step.do === 'fund') return <Shortage draft={draft} {...step} />
  return null
}

const describePresigning = ({ approval, wrap }: Extract<NextStep, { do: 'presign' }>): string => {
  if (wrap !== undefined) return 'One transaction wraps the amount and signs the order. It costs gas.'
  return approval === null
    ? 'Your account signs the order by a transaction that costs gas.'
    : 'One transaction approves the tokens and signs the order. It costs gas.'
}

const taskLabels: Record<OnchainTask['step'], string> = {
  confirming: 'Confirm in your wallet …',
  mining: 'Waiting for confirmation …',
  importing: 'Waiting for the order book …',
  posting: 'Sending the order …',
  presigning: 'Waiting for your wallet to confirm on-chain …',
}

type PrimaryProps = { label: string; disabled?: boolean; onClick?: () => void }

const Primary = ({ label, disabled = false, onClick }: PrimaryProps) => (
  <button type="button" class="primary wide" disabled={disabled} onClick={onClick}>
    {label}
  </button>
)

type ShortageProps = { draft: Draft; available: bigint; needed: bigint }

const Shortage = ({ draft: { sell }, available, needed }: ShortageProps) => (
  <>
    <p class="notice warning">
      You have {describeAmount(sell, available)}; the order needs {describeAmount(sell, needed)}.
    </p>
    <Primary label={`Insufficient ${sell?.symbol ?? 'token'} balance`} disabled />
  </>
)

const Waiting = ({ label, stop }: { label: string; stop?: () => void }) => (
  <div class="wallet-wait">
    <button type="button" class="primary wide" disabled>
      {label}
    </button>
    <p role="status">{label}</p>
    {stop && (
      <button type="button" onClick={stop}>
        Stop waiting
      </button>
    )}
  </div>
)

const Outcome = ({ state, send }: { state: PostingState; send: ReturnType<typeof useOrderPosting>['send'] }) => {
  if (state.phase === 'unsigned')
    return (
      <p class="notice error" role="alert">
        {state.why}
      </p>
    )
  if (state.phase === 'refused') return <Failure failure={state.failure} />
  if (state.phase !== 'unsent') return null
  return (
    <>
      <Failure failure={state.failure} />
      <p>
        {describeAction(state.order.terms.draft)}: the order is signed.{' '}
        {state.failure.facts.status === 429
          ? 'The order book was busy; send it again in a moment.'
          : 'It is unknown whether it arrived; send it again.'}{' '}
        It cannot be placed twice.
      </p>
      <button type="button" class="primary" onClick={() => send(state.order)}>
        Send the signed order again
      </button>
    </>
  )
}
