import { useRef } from 'preact/hooks'
import { useNow } from '../../ui/useNow.ts'
import { computeFreshness, type Freshness } from './computeFreshness.ts'

/** Freshness of a status that is loaded repeatedly, and its age in milliseconds. @param time of the status */
export const useFreshness = (time: string | undefined, hasFailed: boolean): { freshness: Freshness; ageMs: number } => {
  const now = useNow()
  const newest = useRef({ time, arrivedAt: Date.now() })
  if (newest.current.time !== time) newest.current = { time, arrivedAt: Date.now() }
  const { arrivedAt } = newest.current
  return { freshness: computeFreshness(arrivedAt, hasFailed, now), ageMs: Math.max(0, now - arrivedAt) }
}
