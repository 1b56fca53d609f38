import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from './ApiFailure.ts'
import { computeRetryDelay } from './computeRetryDelay.ts'

export type Answer<T> = {
  /** the newest answer to this question; undefined before the first one */
  data: T | undefined
  /** of the newest attempt; null when it succeeded */
  failure: ApiFailure | null
  isLoading: boolean
  /** asks again, after the answer that is waited for: else one that is slower than the reasons to ask would never come */
  reload: () => void
}

type State<T> = {
  key: string
  data?: T
  failure: ApiFailure | null
  /** attempts since the newest answer */
  failures: number
  isLoading: boolean
}

const nothing = { key: '', failure: null, failures: 0, isLoading: false }

/**
 * Asks the API when `key` changes, and again `everyMs` after each answer while the page is visible, less often while it fails.
 * An answer that comes after the next question is dropped.
 * @param key everything that `load` depends on; null: nothing is asked
 */
export const useAnswer = <T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): Answer<T> => {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<State<T>>(nothing)
  const isAsking = useRef(false)
  const isOutdated = useRef(false)
  const reload = useCallback(() => {
    if (isAsking.current) isOutdated.current = true
    else setRound((n) => n + 1)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what `load` depends on
  useEffect(() => {
    if (key === null) return
    const gone = new AbortController()
    isAsking.current = true
    isOutdated.current = false
    setState((last) => (last.key === key ? { ...last, isLoading: true } : { ...nothing, key, isLoading: true }))
    const settle = (change: (last: State<T>) => State<T>) => {
      if (gone.signal.aborted) return
      isAsking.current = false
      setState(change)
      if (isOutdated.current) reload()
    }
    load(gone.signal).then(
      (data) => settle(() => ({ ...nothing, key, data })),
      (thrown) =>
        settle((last) => ({ ...last, failure: asFailure(thrown), failures: last.failures + 1, isLoading: false })),
    )
    return () => {
      gone.abort()
      isAsking.current = false
    }
  }, [key, round])

  const delayMs =
    everyMs === undefined ? undefined : computeRetryDelay(everyMs, state.failures, state.failure?.facts.retryAfterMs)
  useEffect(() => {
    // A slow answer is waited for: asked again, it would never come.
    if (delayMs === undefined || key === null || state.isLoading) return
    const timer = setInterval(() => document.hidden || reload(), delayMs)
    return () => clearInterval(timer)
  }, [key, delayMs, reload, state.isLoading])

  // The state is one render behind a new key: what belongs to the old one is not shown under the new one.
  const isOwn = state.key === key
  return {
    data: isOwn ? state.data : undefined,
    failure: isOwn ? state.failure : null,
    isLoading: key !== null && (!isOwn || state.isLoading),
    reload,
  }
}
