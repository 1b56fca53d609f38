import { useEffect, useRef, useState } from 'preact/hooks'
import { encodeCreateOrder } from '../../actions/ethFlow.ts'
import { useTransaction } from '../../actions/useTransaction.ts'
import { buildWrapping } from '../../actions/wrapping.ts'
import { asFailure, read } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Connection } from '../../wallet/WalletProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { isFresh } from '../quote/isFresh.ts'
import { appDataDocument } from '../quote/quoteInput.ts'
import type { Offer } from '../quote/useQuote.ts'
import { buildNativeSale, computeNativeSaleUid } from './buildNativeSale.ts'
import { appDataHash } from './buildOrder.ts'
import { computeSignedAmounts } from './computeSignedAmounts.ts'
import type { SignedTerms } from './useOrderPosting.ts'

/** A running trade by transaction. */
export type OnchainTask = {
  step: 'confirming' | 'mining' | 'importing'
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
}

/** The order book imports an order some blocks after its transaction. */
const importEveryMs = 1_500
const expired = 'The quote has expired. Nothing was sent; use the next one.'

/** Trades that are transactions: sales of the native token, and wrapping. */
export const useOnchainTrade = ({ network, connection, subject, onPosted, onWrapped }: Deps) => {
  const { state, send, stop: abandon } = useTransaction(connection)
  const [running, setRunning] = useState<{ terms: SignedTerms | null; isImporting: boolean } | null>(null)
  const [why, setWhy] = useState<string | null>(null)
  /** identifies the current attempt */
  const attempt = useRef(0)
  useEffect(
    () => () => {
      attempt.current += 1
    },
    [],
  )

  const stop = (): void => {
    attempt.current += 1
    setRunning(null)
    setWhy(null)
    abandon()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: see `subject`
  useEffect(() => {
    if (!running) stop()
  }, [subject])

  const begin = (terms: SignedTerms | null): (() => boolean) => {
    attempt.current += 1
    const own = attempt.current
    setWhy(null)
    setRunning({ terms, isImporting: false })
    return () => own === attempt.current
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
    setRunning({ terms: { draft, signed }, isImporting: true })
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

  const step = running?.isImporting ? 'importing' : state.phase === 'mining' ? 'mining' : 'confirming'
  const task: OnchainTask | null = running && { step, terms: running.terms }
  return { task, failure: why ?? (state.phase === 'failed' ? state.why : null), sell, wrap, stop }
}

/** The transaction names the document only by its hash. */
const uploadAppData = (network: Network) =>
  read(
    client.PUT('/{network}/api/v1/app_data/{hash}', {
      params: { path: { network: network.name, hash: appDataHash } },
      body: { fullAppData: appDataDocument },
    }),
  )

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
