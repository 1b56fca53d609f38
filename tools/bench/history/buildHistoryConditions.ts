import { runningAuction, tipOf } from './countOpen.ts'

/** SQL conditions for order `i` of a history, and its time. @param orders number of orders */
export const buildHistoryConditions = (orders: number) => {
  const traded = `i <= ${tipOf(orders)}`
  return {
    filled: `${traded} and i % 5 < 4`,
    isInvalidated: `${traded} and i % 10 = 9`,
    isPresigned: `${traded} and i % 20 = 3`,
    isRefunded: `${traded} and i % 100 = 7`,
    isRunning: `i / 10 > ${runningAuction(orders) - 2}`,
    time: `now() - (${orders} - i) * interval '300 days' / ${orders}`,
  }
}
