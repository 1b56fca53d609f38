/** Entry point of workerd: the routes and their Durable Objects. */
export { HolderBook } from './holders/HolderBook.ts'
export { default } from './index.ts'
export { PriceBook } from './prices/PriceBook.ts'
