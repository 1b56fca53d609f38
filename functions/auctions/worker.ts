/** Entry point of workerd: the handler and its Durable Objects. */
export { AuctionClock } from './AuctionClock.ts'
export { default } from './index.ts'
export { SolverConnection } from './solvers/SolverConnection.ts'
