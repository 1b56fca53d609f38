import { useCallback, useEffect, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../../api/ApiFailure.ts'
import { computeRetryDelay } from '../../api/computeRetryDelay.ts'
import type { NetworkName } from '../../networks/NetworksProvider.tsx'
import { computeImprovement, type Improvement } from './computeImprovement.ts'
import { isFresh } from './isFresh.ts'
import { isOfferKept } from './isOfferKept.ts'
import { type Quote, toExpected } from './quote.ts'
import { type QuoteQuestion, toQuestionKey, toQuoteRequest } from './quoteQuestion.ts'
import { streamQuotes } from './streamQuotes.ts'

/** A displayed offer. */
export type Offer = {
  quote: Quote
  /** Unix seconds; the validity of an order with this offer counts from here */
  askedAt: number
  /** by the browser's clock, Unix milliseconds */
  receivedAt: number
  /** 1 for the first one of a round */
  number: number
  /** improvement over the previously displayed offer, of any round; null without one */
  improvement: Improvement | null
}

export type QuoteState = {
  offer: Offer | null
  failure: ApiFailure | null
  /** the round is still open */
  isAsking: boolean
  /** 1 for the first round of a request */
  round: number
  ask: () => void
}

type State = {
  key: string
  offer: Offer | null
  failure: ApiFailure | null
  /** rounds since the newest one with an offer */
  failures: number
  isAsking: boolean
  round: number
}

/** Delay after the last change before a request, milliseconds. */
const settleMs = 350
/** Interval of rounds; prices change with blocks. */
const refreshMs = 20_000

const nothing: State = { key: '', offer: null, failure: null, failures: 0, isAsking: false, round: 0 }

/**
 * Streams quotes while `question` is set: on each change, and again 20 seconds after each round while the page is
 * visible, less often while requests fail. The displayed offer always belongs to the current question.
 * @param question undefined: no request
 * @param isPaused keeps the displayed offer while the user signs it
 */
export const useQuote = (network: NetworkName, question: QuoteQuestion | undefined, isPaused: boolean): QuoteState => {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<State>(nothing)
  const key = question ? `${network} ${toQuestionKey(question)}` : ''
  const ask = useCallback(() => setTurn((n) => n + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the question
  useEffect(() => {
    if (!question || isPaused) return
    const gone = new AbortController()
    const isFirst = state.key !== key
    const start = async () => {
      const round = isFirst ? 1 : state.round + 1
      setState((last) => ({ ...(last.key === key ? last : { ...nothing, key }), isAsking: true, round }))
      await askOnce(network, question, gone.signal, (change) =>
        setState((last) => (last.key === key ? { ...last, ...change(last) } : last)),
      )
    }
    const settled = setTimeout(start, isFirst ? settleMs : 0)
    return () => {
      clearTimeout(settled)
      gone.abort()
    }
  }, [key, turn, isPaused])

  const retryAfterMs = state.failure?.facts.retryAfterMs
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is counted from the end of a round
  useEffect(() => {
    if (key === '' || isPaused || state.isAsking) return
    return repeatWhileVisible(ask, computeRetryDelay(refreshMs, state.failures, retryAfterMs))
  }, [key, turn, isPaused, state.isAsking])

  const { offer, failure, isAsking, round } = state.key === key ? state : nothing
  const isUnasked = question !== undefined && state.key !== key
  return { offer, failure, isAsking: !isPaused && (isAsking || isUnasked), round, ask }
}

type Change = (last: State) => Partial<State>

type UncomparedOffer = Omit<Offer, 'improvement'>

const askOnce = async (
  network: NetworkName,
  question: QuoteQuestion,
  signal: AbortSignal,
  update: (change: Change) => void,
): Promise<void> => {
  const askedAt = Math.floor(Date.now() / 1_000)
  const request = toQuoteRequest(question, askedAt)
  const take = (last: State, offer: UncomparedOffer): Partial<State> => ({
    failure: null,
    failures: 0,
    offer: { ...offer, improvement: compare(question, last.offer, offer.quote) },
  })
  let newest: UncomparedOffer | undefined
  try {
    for await (const quote of streamQuotes(network, request, signal)) {
      if (signal.aborted) return
      const offer = { quote, number: (newest?.number ?? 0) + 1, askedAt, receivedAt: Date.now() }
      newest = offer
      update((last) =>
        isOfferKept(question.kind, last.offer, offer) ? { failure: null, failures: 0 } : take(last, offer),
      )
    }
    if (signal.aborted) return
    const best = newest
    // the current market, even when it is worse
    update((last) => ({ ...(best && last.offer?.quote !== best.quote ? take(last, best) : {}), isAsking: false }))
  } catch (thrown) {
    // An earlier offer stays valid until it expires, but a market without offers is reported.
    if (!signal.aborted)
      update(({ offer, failures }) => ({
        isAsking: false,
        failure: asFailure(thrown),
        failures: failures + 1,
        offer: keepFresh(offer),
      }))
  }
}

const compare = ({ kind }: QuoteQuestion, before: Offer | null, quote: Quote): Improvement | null =>
  before && computeImprovement(kind, toExpected(before.quote), toExpected(quote))

const keepFresh = (offer: Offer | null): Offer | null => (offer && isFresh(offer, Date.now()) ? offer : null)

/** Calls back after a delay in milliseconds; while the page is hidden, as soon as it becomes visible. */
const repeatWhileVisible = (again: () => void, ms: number): (() => void) => {
  const look = () => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', look)
    again()
  }
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', look)
    look()
  }, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
