import { useCallback, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../../api/ApiFailure.ts'
import { computeRetryDelay } from '../../api/computeRetryDelay.ts'
import { repeatWhileVisible } from '../../browser/repeatWhileVisible.ts'
import type { NetworkName } from '../../networks/NetworksProvider.tsx'
import { useOnChange } from '../../ui/useOnChange.ts'
import { computeImprovement, type Improvement } from './computeImprovement.ts'
import { isFresh } from './isFresh.ts'
import { isOfferRetained } from './isOfferRetained.ts'
import { type Quote, toExpected } from './quote.ts'
import { type QuoteInput, toQuoteKey, toQuoteRequest } from './quoteInput.ts'
import { streamQuotes } from './streamQuotes.ts'

/** A displayed offer. */
export type Offer = {
  quote: Quote
  /** Unix seconds; the validity of an order with this offer counts from here */
  requestedAt: number
  /** by the browser's clock, Unix milliseconds */
  receivedAt: number
  /** improvement over the previously displayed offer, of any round; null without one */
  improvement: Improvement | null
}

export type QuoteState = {
  offer: Offer | null
  failure: ApiFailure | null
  /** the round is still open */
  isRequesting: boolean
  /** 1 for the first round of a request */
  round: number
  reload: () => void
}

type State = {
  key: string
  offer: Offer | null
  failure: ApiFailure | null
  /** rounds since the newest one with an offer */
  failures: number
  isRequesting: boolean
  round: number
}

/** Delay after the last change before a request, milliseconds. */
const settleMs = 350
/** Interval of rounds; prices change with blocks. */
const refreshMs = 20_000

const nothing: State = { key: '', offer: null, failure: null, failures: 0, isRequesting: false, round: 0 }

/**
 * Streams quotes while `input` is set: on each change, and again 20 seconds after each round while the page is
 * visible, less often while requests fail. The displayed offer always belongs to the current input.
 * @param input undefined: no request
 * @param isPaused true: the displayed offer stays while the user signs it
 */
export const useQuote = (network: NetworkName, input: QuoteInput | undefined, isPaused: boolean): QuoteState => {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<State>(nothing)
  const key = input ? `${network} ${toQuoteKey(input)}` : ''
  const reload = useCallback(() => setTurn((n) => n + 1), [])

  // `key` stands for the input
  useOnChange(() => {
    if (!input || isPaused) return
    const aborter = new AbortController()
    const isFirst = state.key !== key
    const start = async () => {
      const round = isFirst ? 1 : state.round + 1
      setState((last) => ({ ...(last.key === key ? last : { ...nothing, key }), isRequesting: true, round }))
      await streamRound(network, input, aborter.signal, (change) =>
        setState((last) => (last.key === key ? { ...last, ...change(last) } : last)),
      )
    }
    const settled = setTimeout(start, isFirst ? settleMs : 0)
    return () => {
      clearTimeout(settled)
      aborter.abort()
    }
  }, [key, turn, isPaused])

  const retryAfterMs = state.failure?.facts.retryAfterMs
  // the time is counted from the end of a round
  useOnChange(() => {
    if (key === '' || isPaused || state.isRequesting) return
    return repeatWhileVisible(reload, computeRetryDelay(refreshMs, state.failures, retryAfterMs))
  }, [key, turn, isPaused, state.isRequesting])

  const { offer, failure, isRequesting, round } = state.key === key ? state : nothing
  const isPending = input !== undefined && state.key !== key
  return { offer, failure, isRequesting: !isPaused && (isRequesting || isPending), round, reload }
}

type Change = (last: State) => Partial<State>

type UncomparedOffer = Omit<Offer, 'improvement'>

const streamRound = async (
  network: NetworkName,
  input: QuoteInput,
  signal: AbortSignal,
  update: (change: Change) => void,
): Promise<void> => {
  const requestedAt = Math.floor(Date.now() / 1_000)
  const request = toQuoteRequest(input, requestedAt)
  const take = (last: State, offer: UncomparedOffer): Partial<State> => ({
    failure: null,
    failures: 0,
    offer: {
      ...offer,
      improvement: last.offer && computeImprovement(input.kind, toExpected(last.offer.quote), toExpected(offer.quote)),
    },
  })
  let newest: UncomparedOffer | undefined
  try {
    for await (const quote of streamQuotes(network, request, signal)) {
      if (signal.aborted) return
      const offer = { quote, requestedAt, receivedAt: Date.now() }
      newest = offer
      update((last) =>
        isOfferRetained(input.kind, last.offer, offer) ? { failure: null, failures: 0 } : take(last, offer),
      )
    }
    if (signal.aborted) return
    const best = newest
    // the current market, even when it is worse
    update((last) => ({ ...(best && last.offer?.quote !== best.quote ? take(last, best) : {}), isRequesting: false }))
  } catch (thrown) {
    // An earlier offer stays valid until it expires, but a market without offers is reported.
    if (!signal.aborted)
      update(({ offer, failures }) => ({
        isRequesting: false,
        failure: asFailure(thrown),
        failures: failures + 1,
        offer: offer && isFresh(offer, Date.now()) ? offer : null,
      }))
  }
}
