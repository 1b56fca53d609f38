import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, asFailure, read } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { describeWalletFailure } from '../../wallet/describeWalletFailure.ts'
import { signTypedData } from '../../wallet/signTypedData.ts'
import type { Connection } from '../../wallet/WalletProvider.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { isFresh } from '../quote/isFresh.ts'
import { toAmounts } from '../quote/quote.ts'
import { appDataDocument } from '../quote/quoteQuestion.ts'
import type { Offer } from '../quote/useQuote.ts'
import { buildOrder } from './buildOrder.ts'
import { checkOrder } from './checkOrder.ts'
import { toOrderUid } from './toOrderUid.ts'

/** What the wallet was given to sign, whatever is typed meanwhile. */
export type SignedTerms = { draft: Draft; signed: Amounts }

type SignedOrder = { body: components['schemas']['OrderCreation']; uid: string; terms: SignedTerms }

export type PostingState =
  | { phase: 'idle' }
  | { phase: 'signing' | 'posting'; terms: SignedTerms }
  /** the wallet did not sign, or what it was to sign is not what is shown */
  | { phase: 'unsigned'; why: string }
  /** signed, and refused by the order book */
  | { phase: 'refused'; failure: ApiFailure }
  /** signed, and it may be sent again: nobody knows whether it arrived, or the order book had no time for it */
  | { phase: 'unsent'; failure: ApiFailure; order: SignedOrder }

type Deps = {
  network: Network
  connection: Connection | null
  /** changes with what is traded; then what went wrong with something else is not shown any more */
  subject: string
  onPosted: (uid: string) => void
}

/** From the offer that is shown to an order in the book: what is signed is checked, signed by the wallet, and posted. */
export const useOrderPosting = ({ network, connection, subject, onPosted }: Deps) => {
  const [state, setState] = useState<PostingState>({ phase: 'idle' })
  /** of the attempt that still counts: a wallet may answer long after nobody waits for it any more */
  const attempt = useRef(0)
  const isShown = useIsShown()
  const owner = connection?.address

  // biome-ignore lint/correctness/useExhaustiveDependencies: see `subject`
  useEffect(() => {
    setState((last) => (last.phase === 'unsigned' || last.phase === 'refused' ? { phase: 'idle' } : last))
  }, [subject])

  // biome-ignore lint/correctness/useExhaustiveDependencies: who signs now is not who was asked
  useEffect(() => {
    if (state.phase !== 'signing') return
    attempt.current += 1
    setState({ phase: 'unsigned', why: 'The account changed while the wallet was open. No order was sent.' })
  }, [owner])

  const send = async (order: SignedOrder): Promise<void> => {
    // Somebody who has left the page has signed all the same: the order is sent, and nobody is called back for it.
    const update = (next: PostingState) => isShown.current && setState(next)
    const finish = (uid: string) => {
      update({ phase: 'idle' })
      if (isShown.current) onPosted(uid)
    }
    update({ phase: 'posting', terms: order.terms })
    try {
      const uid = await read(
        client.POST('/{network}/api/v1/orders', { params: { path: { network: network.name } }, body: order.body }),
      )
      finish(uid)
    } catch (thrown) {
      const failure = asFailure(thrown)
      const { errorType, status } = failure.facts
      // it arrived when it was sent before
      if (errorType === 'DuplicatedOrder') return finish(order.uid)
      update(isWorthRepeating(status) ? { phase: 'unsent', failure, order } : { phase: 'refused', failure })
    }
  }

  const signAndSend = async (draft: Draft, newest: Offer | null): Promise<void> => {
    if (!connection) return
    // between the last look at the clock and the click
    const offer = newest && isFresh(newest, Date.now()) ? newest : null
    if (draft.type === 'market' && !offer) return setState({ phase: 'unsigned', why: expired })
    attempt.current += 1
    const own = attempt.current
    const now = Math.floor(Date.now() / 1_000)
    const quote = offer?.quote ?? null
    const order = buildOrder(draft, { network, quote, now })
    const validFrom = draft.type === 'market' && offer ? offer.askedAt : now
    const differing = order ? checkOrder(order, { network, draft, quote, validFrom }) : ['the whole order']
    if (!order || differing.length > 0) {
      return setState({ phase: 'unsigned', why: describeDifference(differing) })
    }
    const { sellAmount, buyAmount } = order.message
    const terms = { draft, signed: toAmounts({ sellAmount, buyAmount }) }
    setState({ phase: 'signing', terms })
    try {
      const signature = await signTypedData(connection, order)
      if (own !== attempt.current) return
      const body = toBody(order.message, { signature, from: connection.address, quoteId: quote?.id ?? null })
      await send({ body, uid: toOrderUid(order, connection.address), terms })
    } catch (thrown) {
      if (own === attempt.current) setState({ phase: 'unsigned', why: describeWalletFailure(thrown) })
    }
  }

  const stop = (): void => {
    attempt.current += 1
    setState({ phase: 'idle' })
  }

  return { state, signAndSend, send, stop }
}

/** 429: the order book was asked too often and has not looked at it. */
const isWorthRepeating = (status: number): boolean => status === 0 || status === 429 || status >= 500

/** Whether the page is still there, for what takes longer than somebody waits. */
const useIsShown = (): { readonly current: boolean } => {
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  return isShown
}

const expired = 'The offer has ended. Nothing was signed; take the next one.'

const describeDifference = (fields: string[]): string =>
  `Nothing was signed: what the API gave to sign is not what this page shows (${fields.join(', ')}). Ask its operators.`

type Signed = { signature: string; from: string; quoteId: number | null }

const toBody = (
  message: NonNullable<components['schemas']['Signable']>['order'],
  signed: Signed,
): SignedOrder['body'] => ({
  ...message,
  ...signed,
  signingScheme: 'eip712',
  appData: appDataDocument,
  appDataHash: message.appData,
  fullBalanceCheck: false,
})
