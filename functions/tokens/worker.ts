/** What workerd runs: the routes, and the Durable Objects behind them. */
export { HolderBook } from './HolderBook.ts'
export { default } from './index.ts'
export { PriceBook } from './PriceBook.ts'
