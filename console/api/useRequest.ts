import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from './ApiFailure.ts'
import { computeRetryDelay } from './computeRetryDelay.ts'

export type RequestState<T> = {
  /** newest response for this key; undefined before the first one */
  data: T | undefined
  /** of the newest attempt; null when it succeeded */
  failure: ApiFailure | null
  isLoading: boolean
  /** loads again, after a request in flight: otherwise a slow response would always be superseded */
  reload: () => void
}

type State<T> = {
  key: string
  data?: T
  failure: ApiFailure | null
  /** attempts since the newest response */
  failures: number
  isLoading: boolean
}

const nothing = { key: '', failure: null, failures: 0, isLoading: false }

/**
 * Loads from the API when `key` changes, and again `everyMs` after each response while the page is visible, less often
 * while requests fail. A response for an earlier key is dropped.
 * @param key everything that `load` depends on; null: no request
 */
export const useRequest = <T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): RequestState<T> => {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<State<T>>(nothing)
  const isInFlight = useRef(false)
  const isOutdated = useRef(false)
  const reload = useCallback(() => {
    if (isInFlight.current) isOutdated.current = true
    else setRound((n) => n + 1)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what `load` depends on
  useEffect(() => {
    if (key === null) return
    const aborter = new AbortController()
    isInFlight.current = true
    isOutdated.current = false
    setState((last) => (last.key === key ? { ...last, isLoading: true } : { ...nothing, key, isLoading: true }))
    const settle = (change: (last: State<T>) => State<T>) => {
      if (aborter.signal.aborted) return
      isInFlight.current = false
      setState(change)
      if (isOutdated.current) reload()
    }
    load(aborter.signal).then(
      (data) => settle(() => ({ ...nothing, key, data })),
      (thrown) =>
        settle((last) => ({ ...last, failure: asFailure(thrown), failures: last.failures + 1, isLoading: false })),
    )
    return () => {
      aborter.abort()
      isInFlight.current = false
    }
  }, [key, round])

  const delayMs =
    everyMs === undefined ? undefined : computeRetryDelay(everyMs, state.failures, state.failure?.facts.retryAfterMs)
  useEffect(() => {
    // A request in flight is not replaced: a slow response would never arrive.
    if (delayMs === undefined || key === null || state.isLoading) return
    const timer = setInterval(() => document.hidden || reload(), delayMs)
    return () => clearInterval(timer)
  }, [key, delayMs, reload, state.isLoading])

  // The state is one render behind a new key, so data of the old key is hidden.
  const isOwn = state.key === key
  return {
    data: isOwn ? state.data : undefined,
    failure: isOwn ? state.failure : null,
    isLoading: key !== null && (!isOwn || state.isLoading),
    reload,
  }
}
