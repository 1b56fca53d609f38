import { localize } from './numbers.ts'

/** `−0.04 %` */
export const formatChange = (change: number): string => {
  const percent = (Math.abs(change) * 100).toFixed(2)
  return `${percent === '0.00' ? '' : change < 0 ? '−' : '+'}${localize(percent)} %`
}
