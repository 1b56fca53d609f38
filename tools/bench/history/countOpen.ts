/** Orders that are open, the newest: one of a hundred. */
export const countOpen = (orders: number): number => Math.ceil(orders / 100)

/** The newest block with a trade: the open orders follow it. */
export const tipOf = (orders: number): number => orders - countOpen(orders)
/** The newest auction with an attempt: the attempts of the newest two still run. */
export const runningAuction = (orders: number): number => Math.floor(tipOf(orders) / 10)
