import { formatUsd } from '../ui/formatUsd.ts'

/** Price of a whole token in dollars; a dash without one. */
export const formatUsdPrice = (price: number | undefined): string =>
  price === undefined ? '–' : formatUsd(1n, 0, price)
