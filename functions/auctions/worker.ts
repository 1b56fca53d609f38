/** Entry point of workerd: the handler and its Durable Object. */
export { AuctionClock } from './AuctionClock.ts'
export { default } from './index.ts'
