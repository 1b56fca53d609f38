/** Entry point of workerd: the routes, and the Durable Objects that fill their tables. */
export { default } from './index.ts'
export { PriceSampler } from './prices/PriceSampler.ts'
export { YieldCollector } from './yields/YieldCollector.ts'
