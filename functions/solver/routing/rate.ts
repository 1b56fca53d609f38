/** An exchange rate: `amountIn` of one token is worth `amountOut` of another. */
export interface Rate {
  amountIn: bigint
  amountOut: bigint
}

/** Whether one rate is better than another. */
export const isBetterRate = (a: Rate, b: Rate): boolean => a.amountOut * b.amountIn > b.amountOut * a.amountIn

/** The rate in the other direction. */
export const invert = ({ amountIn, amountOut }: Rate): Rate => ({ amountIn: amountOut, amountOut: amountIn })
