import { useCallback, useEffect, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from './ApiFailure.ts'

export type Answer<T> = {
  /** the newest answer to this question; undefined before the first one */
  data: T | undefined
  /** of the newest attempt; null when it succeeded */
  failure: ApiFailure | null
  isLoading: boolean
  reload: () => void
}

type State<T> = { key: string; data?: T; failure: ApiFailure | null; isLoading: boolean }

/**
 * Asks the API when `key` changes, and again `everyMs` after each answer while the page is visible. An answer that comes after
 * the next question is dropped.
 * @param key everything that `load` depends on; null: nothing is asked
 */
export const useAnswer = <T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): Answer<T> => {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<State<T>>({ key: '', failure: null, isLoading: false })
  const reload = useCallback(() => setRound((n) => n + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what `load` depends on
  useEffect(() => {
    if (key === null) return
    const gone = new AbortController()
    setState((last) => (last.key === key ? { ...last, isLoading: true } : { key, failure: null, isLoading: true }))
    load(gone.signal).then(
      (data) => gone.signal.aborted || setState({ key, data, failure: null, isLoading: false }),
      (thrown) =>
        gone.signal.aborted || setState((last) => ({ ...last, key, failure: asFailure(thrown), isLoading: false })),
    )
    return () => gone.abort()
  }, [key, round])

  useEffect(() => {
    // A slow answer is waited for: asked again, it would never come.
    if (everyMs === undefined || key === null || state.isLoading) return
    const timer = setInterval(() => document.hidden || reload(), everyMs)
    return () => clearInterval(timer)
  }, [key, everyMs, reload, state.isLoading])

  // The state is one render behind a new key: what belongs to the old one is not shown under the new one.
  const isOwn = state.key === key
  return {
    data: isOwn ? state.data : undefined,
    failure: isOwn ? state.failure : null,
    isLoading: key !== null && (!isOwn || state.isLoading),
    reload,
  }
}
