import { useEffect, useState } from 'preact/hooks'
import { encodeApproval } from '../../actions/approval.ts'
import { encodeCreateOrder } from '../../actions/ethFlow/encodeCreateOrder.ts'
import { buildPresignature } from '../../actions/settlementCalls.ts'
import { useTransaction } from '../../actions/useTransaction.ts'
import { buildWrapping } from '../../actions/wrapping.ts'
import { asFailure } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { useAttempts } from '../../ui/useAttempts.ts'
import { useOnChange } from '../../ui/useOnChange.ts'
import type { Connection } from '../../wallet/connection/openConnection.ts'
import type { Draft } from '../draft/draft.ts'
import { isFresh } from '../quote/isFresh.ts'
import type { Offer } from '../quote/useQuote.ts'
import { buildNativeSale, computeNativeSaleUid } from './buildNativeSale.ts'
import { computeSignedAmounts } from './computeSignedAmounts.ts'
import type { SignedTerms } from './prepareOrder.ts'
import { prepareOrder } from './prepareOrder.ts'
import { requestCalls } from './requestCalls.ts'
import { toOrderBody } from './toOrderBody.ts'
import { toOrderUid } from './toOrderUid.ts'
import { uploadAppData } from './uploadAppData.ts'

/** A running trade by transaction. */
export type OnchainTask = {
  step: 'confirming' | 'mining' | 'importing' | 'posting' | 'presigning'
  /** null: no order, but wrapping */
  terms: SignedTerms | null
}

type Deps = {
  network: Network
  connection: Connection | null
  /** changes with the terms; an error of other terms is hidden */
  subject: string
  onPosted: (uid: string) => void
  onWrapped: (direction: 'wrap' | 'unwrap') => void
  /** the order is in the book, but the wallet did not sign it */
  onUnsigned: (why: string) => void
  /** the wallet executes several calls as one */
  hasBatches: boolean
  /** the sell token changes an approval above 0 only after one of 0 */
  isReset: boolean
}

/** The order book imports an order some blocks after its transaction. */
const importEveryMs = 1_500
const expired = 'The quote has expired. Nothing was sent; use the next one.'

/** Trades that are transactions: sales of the native token, wrapping, and orders that a transaction signs. */
export const useOnchainTrade = (deps: Deps) => {
  const { network, connection, subject, onPosted, onWrapped, onUnsigned, hasBatches, isReset } = deps
  const { state, send, stop: abandon } = useTransaction(connection)
  const [running, setRunning] = useState<{ terms: SignedTerms | null; step: OnchainTask['step'] } | null>(null)
  const [why, setWhy] = useState<string | null>(null)
  const attempts = useAttempts()
  useEffect(() => attempts.end, [attempts])

  const stop = (): void => {
    attempts.end()
    setRunning(null)
    setWhy(null)
    abandon()
  }

  // see `subject`
  useOnChange(() => {
    if (!running) stop()
  }, [subject])

  const begin = (terms: SignedTerms | null): (() => boolean) => {
    setWhy(null)
    setRunning({ terms, step: 'confirming' })
    return attempts.begin()
  }

  const sell = async (draft: Draft, newest: Offer | null): Promise<void> => {
    if (!connection) return
    const offer = newest && isFresh(newest, Date.now()) ? newest : null
    const signed = computeSignedAmounts(draft, offer?.quote ?? null)
    const from = draft.type === 'market' && offer ? offer.requestedAt : Math.floor(Date.now() / 1_000)
    const terms = { owner: connection.address, quoteId: offer?.quote.id ?? null, validTo: from + draft.validFor }
    const order = signed && buildNativeSale(draft, { ...terms, signed })
    if (!signed || !order) return setWhy(expired)
    const isCurrent = begin({ draft, signed })
    try {
      await uploadAppData(network)
    } catch (thrown) {
      if (!isCurrent()) return
      setRunning(null)
      return setWhy(`Nothing was sent: ${asFailure(thrown).message}`)
    }
    if (!isCurrent()) return
    const call = { to: network.ethFlow, data: encodeCreateOrder(order), value: order.sellAmount }
    const isSent = await send(call)
    if (!isCurrent()) return
    if (!isSent) return setRunning(null)
    setRunning({ terms: { draft, signed }, step: 'importing' })
    const uid = computeNativeSaleUid(order, network)
    await waitForImport(network, uid, isCurrent)
    if (!isCurrent()) return
    setRunning(null)
    onPosted(uid)
  }

  const wrap = async (direction: 'wrap' | 'unwrap', amount: bigint): Promise<void> => {
    const isCurrent = begin(null)
    const isDone = await send(buildWrapping(direction, network.wrappedNative, amount))
    if (!isCurrent()) return
    setRunning(null)
    if (isDone) onWrapped(direction)
  }

  /**
   * Places an order without a signature; then a transaction of its owner signs it.
   * @param approval sell token atoms to approve by the same transaction; null: none
   * @param wrap wei to wrap by it before
   */
  const presign = async (
    draft: Draft,
    newest: Offer | null,
    { appData, approval, wrap }: { appData: string; approval: bigint | null; wrap?: bigint | undefined },
  ): Promise<void> => {
    if (!connection) return
    const prepared = prepareOrder(draft, { network, newest, appData })
    if ('why' in prepared) return setWhy(prepared.why)
    const { order, quoteId, terms } = prepared
    const isCurrent = begin(terms)
    setRunning({ terms, step: 'posting' })
    const signed = { signature: '0x', signingScheme: 'presign', from: connection.address, quoteId } as const
    const uid = toOrderUid(order, connection.address)
    try {
      const path = { network: network.name }
      await read(
        client.POST('/{network}/api/v1/orders', { params: { path }, body: toOrderBody(order, appData, signed) }),
      )
    } catch (thrown) {
      const failure = asFailure(thrown)
      if (!isCurrent()) return
      if (failure.facts.errorType !== 'DuplicatedOrder') {
        setRunning(null)
        return setWhy(failure.message)
      }
    }
    if (!isCurrent()) return
    setRunning({ terms, step: 'presigning' })
    const { sellToken } = order.message
    const approvals = approval === null ? [] : isReset ? [0n, approval] : [approval]
    const calls = [
      ...(wrap === undefined ? [] : [buildWrapping('wrap', network.wrappedNative, wrap)]),
      ...approvals.map((amount) => ({ to: sellToken, data: encodeApproval(network.vaultRelayer, amount) })),
      buildPresignature(network.settlementContract, uid),
    ]
    const why = await requestCalls(connection, calls, hasBatches, onUnsigned)
    if (!isCurrent()) return
    setRunning(null)
    if (why !== null) onUnsigned(why)
    // the order continues on its own panel, where it can be signed again
    onPosted(uid)
  }

  const step = running?.step === 'confirming' && state.phase === 'mining' ? 'mining' : running?.step
  const task: OnchainTask | null = running && { step: step ?? 'confirming', terms: running.terms }
  return { task, failure: why ?? (state.phase === 'failed' ? state.why : null), sell, wrap, presign, stop }
}

const waitForImport = async ({ name }: Network, uid: string, isCurrent: () => boolean): Promise<void> => {
  while (isCurrent()) {
    const path = { network: name, uid }
    const isKnown = await read(client.GET('/{network}/api/v1/orders/{uid}', { params: { path } })).then(
      () => true,
      () => false,
    )
    if (isKnown) return
    await new Promise((resolve) => setTimeout(resolve, importEveryMs))
  }
}
