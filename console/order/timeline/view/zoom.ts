import { minViewMs, type View } from './parseView.ts'

/** @param factor 0.5 halves the range */
export const zoom = ({ from, to }: View, factor: number): View => {
  const middle = (from + to) / 2
  const half = Math.max(((to - from) * factor) / 2, minViewMs / 2)
  return { from: middle - half, to: middle + half }
}

/** Returns true at the shortest range. */
export const isClosest = ({ from, to }: View): boolean => to - from <= minViewMs * 1.01
