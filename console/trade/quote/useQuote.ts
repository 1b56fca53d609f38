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

/** An offer as it is shown. */
export type Offer = {
  quote: Quote
  /** Unix seconds; an order that takes it is valid for so long after that */
  askedAt: number
  /** by the clock of this machine, Unix milliseconds */
  receivedAt: number
  /** 1 for the first one of a round */
  number: number
  /** against what was shown before, also when that was of an earlier round; null: nothing was */
  improvement: Improvement | null
}

export type QuoteState = {
  offer: Offer | null
  failure: ApiFailure | null
  /** solvers are still being asked */
  isAsking: boolean
  /** 1 for the first round of a question */
  round: number
  ask: () => void
}

type State = {
  key: string
  offer: Offer | null
  failure: ApiFailure | null
  /** rounds since the newest one that gave an offer */
  failures: number
  isAsking: boolean
  round: number
}

/** Milliseconds without a change of the question before it is asked. */
const settleMs = 350
/** Prices move with the blocks. */
const refreshMs = 20_000

const nothing: State = { key: '', offer: null, failure: null, failures: 0, isAsking: false, round: 0 }

/**
 * Asks for quotes as long as there is a question: when it changes, and again 20 seconds after each round while the page is
 * visible, less often while it fails. What is shown is always of the question as it is now.
 * @param question undefined: nothing is asked
 * @param isPaused keeps the offer that is shown, for somebody who is about to sign it
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
    // the market as it is now, also when it is worse than it was
    update((last) => ({ ...(best && last.offer?.quote !== best.quote ? take(last, best) : {}), isAsking: false }))
  } catch (thrown) {
    // What was offered before may be taken until it expires, but a market that gives nothing now is said.
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

/** Calls back after so many milliseconds; when the page is hidden by then, as soon as somebody looks at it again. */
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
