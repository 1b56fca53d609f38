import { useEffect, useRef, useState } from 'preact/hooks'
import type { PermitSigner } from '../../actions/usePermit.ts'
import { type ApiFailure, asFailure } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { useAttempts } from '../../ui/useAttempts.ts'
import { useOnChange } from '../../ui/useOnChange.ts'
import type { Connection } from '../../wallet/connection/openConnection.ts'
import { describeWalletFailure } from '../../wallet/describeWalletFailure.ts'
import { signTypedData } from '../../wallet/signTypedData.ts'
import type { Draft } from '../draft/draft.ts'
import { buildAppData } from '../quote/appData.ts'
import type { Offer } from '../quote/useQuote.ts'
import { prepareOrder, type SignedTerms } from './prepareOrder.ts'
import { type OrderBody, toOrderBody } from './toOrderBody.ts'
import { toOrderUid } from './toOrderUid.ts'
import { withAppData } from './withAppData.ts'

type SignedOrder = { body: OrderBody; uid: string; terms: SignedTerms }

export type PostingState =
  | { phase: 'idle' }
  | { phase: 'permitting' | 'signing' | 'posting'; terms: SignedTerms }
  /** the wallet did not sign, or the order differs from the displayed one */
  | { phase: 'unsigned'; why: string }
  /** signed, and rejected by the order book */
  | { phase: 'refused'; failure: ApiFailure }
  /** signed, and can be sent again: the response is missing, or the order book was overloaded */
  | { phase: 'unsent'; failure: ApiFailure; order: SignedOrder }

type Signing = {
  /** document of the quote request */
  appData: string
  /** sell token atoms that the permit approves */
  permit: (Pick<PermitSigner, 'sign'> & { value: bigint }) | null
  /** UID of the order that this one replaces; default: none */
  replaces?: string
}

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
  const attempts = useAttempts()
  const isShown = useIsShown()
  const owner = connection?.address

  // see `subject`
  useOnChange(() => {
    setState((last) => (last.phase === 'unsigned' || last.phase === 'refused' ? { phase: 'idle' } : last))
  }, [subject])

  // the wallet may have changed since the request
  useOnChange(() => {
    if (state.phase !== 'signing' && state.phase !== 'permitting') return
    attempts.end()
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

  /** @param permit approval by signature, which the order brings with it */
  const signAndSend = async (
    draft: Draft,
    newest: Offer | null,
    { appData, permit, replaces = '' }: Signing,
  ): Promise<void> => {
    if (!connection) return
    const prepared = prepareOrder(draft, { network, newest, appData })
    if ('why' in prepared) return setState({ phase: 'unsigned', why: prepared.why })
    const { terms, quoteId } = prepared
    const isCurrent = attempts.begin()
    try {
      let document = appData
      if (permit) {
        setState({ phase: 'permitting', terms })
        const hook = await permit.sign(permit.value, prepared.order.message.validTo)
        document = buildAppData(hook, replaces)
        if (!isCurrent()) return
      }
      const order = permit ? withAppData(prepared.order, document) : prepared.order
      setState({ phase: 'signing', terms })
      const signature = await signTypedData(connection, order)
      if (!isCurrent()) return
      const signed = { signature, signingScheme: 'eip712', from: connection.address, quoteId } as const
      await send({ body: toOrderBody(order, document, signed), uid: toOrderUid(order, connection.address), terms })
    } catch (thrown) {
      if (isCurrent()) setState({ phase: 'unsigned', why: describeWalletFailure(thrown) })
    }
  }

  const stop = (): void => {
    attempts.end()
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
