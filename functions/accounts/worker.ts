/** Entry point of workerd: the routes and their Durable Objects. */
export { ClientSlots } from '#shared/streams/ClientSlots.ts'
export { BalanceWatch } from './balances/BalanceWatch.ts'
export { default } from './index.ts'
