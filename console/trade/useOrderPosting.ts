import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, asFailure, read } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { describeWalletFailure } from '../wallet/describeWalletFailure.ts'
import { signTypedData } from '../wallet/signTypedData.ts'
import type { Connection } from '../wallet/WalletProvider.tsx'
import { buildOrder } from './buildOrder.ts'
import { checkOrder } from './checkOrder.ts'
import type { Draft } from './draft.ts'
import { appDataDocument } from './quoteQuestion.ts'
import { toOrderUid } from './toOrderUid.ts'
import type { Offer } from './useQuote.ts'

type SignedOrder = { body: components['schemas']['OrderCreation']; uid: string }

export type PostingState =
  | { phase: 'idle' | 'signing' | 'posting' }
  /** the wallet did not sign, or what it was to sign is not what is shown */
  | { phase: 'unsigned'; why: string }
  /** signed, and refused by the order book */
  | { phase: 'refused'; failure: ApiFailure }
  /** signed, and nobody knows whether it arrived */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: see `subject`
  useEffect(() => {
    setState((last) => (last.phase === 'unsigned' || last.phase === 'refused' ? { phase: 'idle' } : last))
  }, [subject])

  const send = async (order: SignedOrder): Promise<void> => {
    setState({ phase: 'posting' })
    try {
      const uid = await read(
        client.POST('/{network}/api/v1/orders', { params: { path: { network: network.name } }, body: order.body }),
      )
      setState({ phase: 'idle' })
      onPosted(uid)
    } catch (thrown) {
      const failure = asFailure(thrown)
      const { errorType, status } = failure.facts
      if (errorType === 'DuplicatedOrder') {
        // it arrived when it was sent before
        setState({ phase: 'idle' })
        return onPosted(order.uid)
      }
      const isUncertain = status === 0 || status >= 500
      setState(isUncertain ? { phase: 'unsent', failure, order } : { phase: 'refused', failure })
    }
  }

  const signAndSend = async (draft: Draft, offer: Offer | null): Promise<void> => {
    if (!connection) return
    attempt.current += 1
    const own = attempt.current
    const now = Math.floor(Date.now() / 1_000)
    const quote = offer?.quote ?? null
    const order = buildOrder(draft, { network, quote, now })
    const validTo = draft.type === 'limit' ? now + draft.validFor : (offer?.validTo ?? 0)
    const differing = order ? checkOrder(order, { network, draft, quote, validTo }) : ['the whole order']
    if (!order || differing.length > 0) {
      return setState({ phase: 'unsigned', why: describeDifference(differing) })
    }
    setState({ phase: 'signing' })
    try {
      const signature = await signTypedData(connection, order)
      if (own !== attempt.current) return
      const body = toBody(order.message, { signature, from: connection.address, quoteId: quote?.id ?? null })
      await send({ body, uid: toOrderUid(order, connection.address) })
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
