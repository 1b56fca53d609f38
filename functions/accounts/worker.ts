/** What workerd runs: the routes, and the Durable Objects behind them. */
export { ClientSlots } from '#shared/streams/ClientSlots.ts'
export { BalanceWatch } from './BalanceWatch.ts'
export { default } from './index.ts'
