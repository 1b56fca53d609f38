import { useCallback, useEffect, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../api/ApiFailure.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import { computeImprovement, type Improvement } from './computeImprovement.ts'
import { type Quote, toExpected } from './quote.ts'
import { type QuoteQuestion, toQuestionKey, toQuoteRequest } from './quoteQuestion.ts'
import { streamQuotes } from './streamQuotes.ts'

/** An offer as it is shown. */
export type Offer = {
  quote: Quote
  /** that it was asked for with, Unix seconds */
  validTo: number
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

type State = { key: string; offer: Offer | null; failure: ApiFailure | null; isAsking: boolean; round: number }

/** Milliseconds without a change of the question before it is asked. */
const settleMs = 350
/** Prices move with the blocks. */
const refreshMs = 20_000
/** Orders may refer to a quote for a minute, and somebody has to sign in it. */
const freshMs = 50_000

const nothing: State = { key: '', offer: null, failure: null, isAsking: false, round: 0 }

/**
 * Asks for quotes as long as there is a question: when it changes, and again every 20 seconds while the page is visible. What
 * is shown is always of the question as it is now.
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
    const stopRefreshing = repeatWhileVisible(ask, refreshMs)
    return () => {
      clearTimeout(settled)
      stopRefreshing()
      gone.abort()
    }
  }, [key, turn, isPaused])

  const { offer, failure, isAsking, round } = state.key === key ? state : nothing
  const isUnasked = question !== undefined && state.key !== key
  return { offer, failure, isAsking: !isPaused && (isAsking || isUnasked), round, ask }
}

type Change = (last: State) => Partial<State>

const askOnce = async (
  network: NetworkName,
  question: QuoteQuestion,
  signal: AbortSignal,
  update: (change: Change) => void,
): Promise<void> => {
  const request = toQuoteRequest(question, Math.floor(Date.now() / 1_000))
  let number = 0
  try {
    for await (const quote of streamQuotes(network, request, signal)) {
      if (signal.aborted) return
      number += 1
      const offer = { quote, number, validTo: request.validTo ?? 0, receivedAt: Date.now() }
      update(({ offer: before }) => ({
        failure: null,
        offer: { ...offer, improvement: compare(question, before, quote) },
      }))
    }
    if (!signal.aborted) update(() => ({ isAsking: false }))
  } catch (thrown) {
    // What was offered before may be taken until it expires, but a market that gives nothing now is said.
    if (!signal.aborted)
      update(({ offer }) => ({ isAsking: false, failure: asFailure(thrown), offer: keepFresh(offer) }))
  }
}

const compare = ({ kind }: QuoteQuestion, before: Offer | null, quote: Quote): Improvement | null =>
  before && computeImprovement(kind, toExpected(before.quote), toExpected(quote))

/** Whether an offer may still be taken, by when it came: clocks differ, and by more than it lives. */
export const isFresh = (offer: Offer, now: number): boolean => now - offer.receivedAt < freshMs

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
