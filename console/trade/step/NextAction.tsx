import type { Network } from '../../networks/NetworksProvider.tsx'
import { useWallet } from '../../wallet/WalletProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { toWrappedSale } from '../draft/findTradeRoute.ts'
import type { QuoteState } from '../quote/useQuote.ts'
import { describeAction, describeWrapping } from '../signing/describeOrder.ts'
import type { OnchainTask, useOnchainTrade } from '../signing/useOnchainTrade.ts'
import type { useOrderPosting } from '../signing/useOrderPosting.ts'
import type { NextStep } from './computeNextStep.ts'
import { PrimaryButton } from './PrimaryButton.tsx'
import { Shortage } from './Shortage.tsx'
import { Waiting } from './Waiting.tsx'

type Props = {
  network: Network
  draft: Draft
  quote: QuoteState
  posting: ReturnType<typeof useOrderPosting>
  onchain: ReturnType<typeof useOnchainTrade>
  step: NextStep
  /** the clicked button is replaced, so the focus moves to the panel */
  keepFocus: () => void
  /** document of the quote request */
  appData: string
}

/** Button of the next step, or the current action of the wallet. */
export const NextAction = ({ network, draft, quote, posting, onchain, step, keepFocus, appData }: Props) => {
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
  if (step.do === 'connect') return <PrimaryButton label="Connect wallet" onClick={openChoices} />
  if (step.do === 'switchChain')
    return <PrimaryButton label={`Switch to ${network.label}`} disabled={isSwitching} onClick={switchChain} />
  if (step.do === 'sign')
    return (
      <>
        <PrimaryButton label={describeAction(draft)} onClick={sign} />
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
        <PrimaryButton label={describeAction(draft)} onClick={start} />
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
        <PrimaryButton
          label={route === 'native' ? describeAction(draft) : describeWrapping(route, draft)}
          onClick={start}
        />
        <p class="fine">
          {route === 'native'
            ? `A transaction that costs gas. Cancel the order to get unsold ${network.nativeSymbol} back.`
            : 'One to one, by a transaction that costs gas.'}
        </p>
      </>
    )
  }
  if (step.do === 'wait') return <PrimaryButton label={step.why} disabled />
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
