/** What workerd runs: the routes, and the Durable Objects behind them. */
export { BalanceWatch } from './BalanceWatch.ts'
export { ClientSlots } from './ClientSlots.ts'
export { default } from './index.ts'
