import { useEffect, useRef } from 'preact/hooks'

/** Calls once for all calls within some milliseconds. */
export const useGathered = (call: () => void, withinMs: number): (() => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      call()
    }, withinMs)
  }
}
