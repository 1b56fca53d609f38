/** What workerd runs: the routes, and the Durable Objects that fill the tables behind them. */
export { default } from './index.ts'
export { PriceSampler } from './prices/PriceSampler.ts'
export { YieldCollector } from './yields/YieldCollector.ts'
