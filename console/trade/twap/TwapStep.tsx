import { useEffect, useRef, useState } from 'preact/hooks'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import type { Holding } from '../../actions/balances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { useNow } from '../../ui/useNow.ts'
import type { Abilities } from '../../wallet/readAbilities.ts'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { findTradeRoute, toWrappedSale } from '../draft/findTradeRoute.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { isFresh } from '../quote/isFresh.ts'
import type { QuoteState } from '../quote/useQuote.ts'
import { computeSignedAmounts } from '../signing/computeSignedAmounts.ts'
import { describeAmount } from '../signing/describeAmount.ts'
import { LossStep } from '../step/LossStep.tsx'
import { PrimaryButton } from '../step/PrimaryButton.tsx'
import { Risks } from '../step/Risks.tsx'
import { Shortage } from '../step/Shortage.tsx'
import { useLosses } from '../step/useLosses.ts'
import { Waiting } from '../step/Waiting.tsx'
import { buildTwap } from './buildTwap.ts'
import { buildTwapCalls, listSteps } from './buildTwapCalls.ts'
import { computeTwapStep, type TwapStep as Step } from './computeTwapStep.ts'
import { describeCreation, describeStep } from './describeTwap.ts'
import { SafeNeeded } from './SafeNeeded.tsx'
import { TwapFields } from './TwapFields.tsx'
import { TwapReceipt } from './TwapReceipt.tsx'
import { type TwapTerms, toPartDraft } from './twapTerms.ts'
import { useSafeSetUp } from './useSafeSetUp.ts'
import { useTwapCreation } from './useTwapCreation.ts'
import './twap.css'

type Props = {
  network: Network
  terms: TradeTerms
  twap: TwapTerms
  change: ChangeTerms
  /** of the whole amount */
  draft: Draft
  isLoading: boolean
  /** of one part */
  quote: QuoteState
  /** the terms suffice for a quote */
  isRequested: boolean
  /** of the sell token; undefined: unknown */
  holding: Holding | undefined
  /** vault relayer's allowance of the token that the parts sell, atoms; undefined: unknown */
  allowance: bigint | undefined
  /** that token changes an approval above 0 only after one of 0 */
  isReset: boolean
  prices: UsdPrices | undefined
  abilities: Abilities | undefined
  /** the settings allow losses above the cap */
  isUncapped: boolean
  /** the wallet shows the TWAP */
  onBusy: (isBusy: boolean) => void
  onCreated: () => void
}

/** Terms of a TWAP, what they mean for each part, and its creation by one confirmation of a Safe. */
export const TwapStep = (props: Props) => {
  const { network, terms, twap, change, draft, quote, isRequested, holding, allowance, isReset, prices } = props
  const { abilities, isUncapped, onBusy, onCreated } = props
  const { connection, openChoices, switchChain, isBusy: isSwitching } = useWallet()
  const now = useNow()
  const [created, setCreated] = useState(0)
  const setUp = useSafeSetUp(network, connection, created)
  const part = toPartDraft(draft, twap)
  const parts = twap.parts ?? 0
  const subject = toSubject(draft, twap)
  const creation = useTwapCreation({
    ...{ network, connection, subject, hasBatches: abilities?.hasBatches === true },
    onCreated: () => {
      setCreated((count) => count + 1)
      onCreated()
    },
  })
  const { phase } = creation.state
  const isBusy = phase !== 'idle' && phase !== 'failed'
  useEffect(() => {
    onBusy(isBusy)
    return () => onBusy(false)
  }, [isBusy, onBusy])
  // the displayed offer stays while the wallet shows the TWAP
  const offer = quote.offer && (isBusy || isFresh(quote.offer, now)) ? quote.offer : null
  const signed = computeSignedAmounts(part, offer?.quote ?? null)
  const networkCost = BigInt(offer?.quote.quote.feeAmount ?? 0)
  const isRequesting = !offer && !quote.failure
  const facts = { draft: part, parts, isLoading: props.isLoading, signed, isRequesting, networkCost }
  const step = computeTwapStep({ ...facts, wallet: connection, network, holding, abilities, setUp })
  const shown = signed && { draft: part, signed, quote: offer?.quote ?? null, prices }
  const losses = useLosses(shown, subject, isUncapped)
  const guard = isBusy || step.do !== 'create' ? 'none' : losses.guard
  const panel = useRef<HTMLElement>(null)
  // the clicked button is replaced, so the focus moves here
  const keepFocus = () => panel.current?.focus({ preventScroll: true })
  const isWrapped = findTradeRoute(draft, network.wrappedNative) === 'native'

  const create = ({ setUp, signed }: Extract<Step, { do: 'create' }>) => {
    if (!connection) return
    keepFocus()
    const sold = isWrapped ? toWrappedSale(part, network.wrappedNative) : part
    const built = buildTwap({ draft: sold, terms: twap, signed, owner: connection.address })
    if (!built) return
    const safe = connection.address
    void creation.create(built, buildTwapCalls({ network, safe, setUp, isWrapped, allowance, isReset }, built))
  }

  const total = (signed?.sellAmount ?? 0n) * BigInt(parts)
  const steps =
    step.do === 'create' && connection
      ? listSteps({ network, safe: connection.address, setUp: step.setUp, isWrapped, allowance, isReset }, total)
      : []
  return (
    <section ref={panel} class="order-step" aria-label="TWAP to create" tabIndex={-1}>
      <TwapFields terms={terms} twap={twap} change={change} isDisabled={isBusy} />
      <TwapReceipt
        {...{ network, draft: part, parts, signed, isRequested, prices }}
        every={twap.every}
        quote={{ ...quote, offer }}
      />
      <Risks risks={losses.risks} />
      {steps.length > 0 && (
        <div class="signing-terms">
          <h2>{abilities?.hasBatches ? 'What you confirm, as one transaction' : 'What you confirm'}</h2>
          <ol class="terms">
            {steps.map((name) => (
              <li key={name}>
                {describeStep(name, {
                  ...{ draft, parts, every: twap.every, total, composableCow: network.composableCow },
                  fallbackHandler: publicContracts.fallbackHandler,
                })}
              </li>
            ))}
          </ol>
        </div>
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
      ) : isBusy ? (
        <Waiting label={phaseLabels[phase]} {...(phase === 'checking' ? {} : { stop: creation.stop })} />
      ) : step.do === 'connect' ? (
        <PrimaryButton label="Connect wallet" onClick={openChoices} />
      ) : step.do === 'switchChain' ? (
        <PrimaryButton label={`Switch to ${network.label}`} disabled={isSwitching} onClick={switchChain} />
      ) : step.do === 'explain' ? (
        <SafeNeeded account={step.account} change={change} />
      ) : step.do === 'fund' ? (
        <Shortage draft={draft} {...step} />
      ) : step.do === 'enlarge' ? (
        <>
          <p class="notice warning">
            The network cost takes more than 5 % of each part. Sell at least{' '}
            {describeAmount(draft.sell, step.minimum, 4)} per part: use fewer parts or a larger amount.
          </p>
          <PrimaryButton label="Parts too small" disabled />
        </>
      ) : step.do === 'create' ? (
        <>
          <PrimaryButton label={describeCreation(draft, parts, total)} onClick={() => create(step)} />
          <p class="fine">The order book tries the first part before your wallet opens. Only the creation costs gas.</p>
        </>
      ) : (
        <PrimaryButton label={step.why} disabled />
      )}
      <ErrorNotice text={creation.state.phase === 'failed' && creation.state.why} />
    </section>
  )
}

const phaseLabels = {
  checking: 'Trying the first part …',
  confirming: 'Confirm in your wallet …',
  indexing: 'Waiting for the order book …',
}

/** What an accepted loss and an error belong to. */
const toSubject = ({ sell, buy, amount, receiver }: Draft, { parts, every, protectionBps }: TwapTerms): string =>
  [sell?.address, buy?.address, amount, receiver, parts, every, protectionBps].join()
