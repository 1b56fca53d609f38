/** Entry point of workerd: the routes and their Durable Object. */
export { default } from './index.ts'
export { SettlementQueue } from './settling/SettlementQueue.ts'
