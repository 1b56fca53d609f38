import type { View } from './parseView.ts'

/** @param share of the range; negative moves to earlier times */
export const pan = ({ from, to }: View, share: number): View => {
  const distance = (to - from) * share
  return { from: from + distance, to: to + distance }
}
