import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  for (const listener of listeners) listener(Date.now())
}

/** Unix milliseconds, updated every second; all users share one timer. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    listeners.add(setNow)
    timer ??= setInterval(tick, 1_000)
    return () => {
      listeners.delete(setNow)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}
