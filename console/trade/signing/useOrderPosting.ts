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
import { appDataDocument } from '../quote/quoteInput.ts'
import type { Offer } from '../quote/useQuote.ts'
import { buildOrder } from './buildOrder.ts'
import { checkOrder } from './checkOrder.ts'
import { toOrderUid } from './toOrderUid.ts'

/** The order passed to the wallet, independent of later changes of the form. */
export type SignedTerms = { draft: Draft; signed: Amounts }

type SignedOrder = { body: components['schemas']['OrderCreation']; uid: string; terms: SignedTerms }

export type PostingState =
  | { phase: 'idle' }
  | { phase: 'signing' | 'posting'; terms: SignedTerms }
  /** the wallet did not sign, or the order differs from the displayed one */
  | { phase: 'unsigned'; why: string }
  /** signed, and rejected by the order book */
  | { phase: 'refused'; failure: ApiFailure }
  /** signed, and can be sent again: the response is missing, or the order book was overloaded */
  | { phase: 'unsent'; failure: ApiFailure; order: SignedOrder }

type Deps = {
  network: Network
  connection: Connection | null
  /** changes with the terms; an error of other terms is hidden */
  subject: string
  onPosted: (uid: string) => void
}

/** From the displayed offer to an order in the book: the order is checked, signed by the wallet and posted. */
export const useOrderPosting = ({ network, connection, subject, onPosted }: Deps) => {
  const [state, setState] = useState<PostingState>({ phase: 'idle' })
  /** identifies the current attempt: a wallet may respond long after it was abandoned */
  const attempt = useRef(0)
  const isShown = useIsShown()
  const owner = connection?.address

  // biome-ignore lint/correctness/useExhaustiveDependencies: see `subject`
  useEffect(() => {
    setState((last) => (last.phase === 'unsigned' || last.phase === 'refused' ? { phase: 'idle' } : last))
  }, [subject])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the wallet may have changed since the request
  useEffect(() => {
    if (state.phase !== 'signing') return
    attempt.current += 1
    setState({ phase: 'unsigned', why: 'The account changed while the wallet was open. No order was sent.' })
  }, [owner])

  const send = async (order: SignedOrder): Promise<void> => {
    // The order is sent even when the user has left the page after signing, but without a callback.
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
      // the earlier attempt had arrived
      if (errorType === 'DuplicatedOrder') return finish(order.uid)
      update(isWorthRepeating(status) ? { phase: 'unsent', failure, order } : { phase: 'refused', failure })
    }
  }

  const signAndSend = async (draft: Draft, newest: Offer | null): Promise<void> => {
    if (!connection) return
    // the offer may expire between the last clock update and the click
    const offer = newest && isFresh(newest, Date.now()) ? newest : null
    if (draft.type === 'market' && !offer) return setState({ phase: 'unsigned', why: expired })
    attempt.current += 1
    const own = attempt.current
    const now = Math.floor(Date.now() / 1_000)
    const quote = offer?.quote ?? null
    const order = buildOrder(draft, { network, quote, now })
    const validFrom = draft.type === 'market' && offer ? offer.requestedAt : now
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

/** 429: too many requests, so the order book has not checked the order. */
const isWorthRepeating = (status: number): boolean => status === 0 || status === 429 || status >= 500

/** Returns true while the page is mounted, for long operations. */
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

const expired = 'The quote has expired. Nothing was signed; use the next one.'

const describeDifference = (fields: string[]): string =>
  `Nothing was signed: the order from the service differs from the displayed one (${fields.join(', ')}). Contact its operators.`

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
