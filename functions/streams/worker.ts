/** Entry point of workerd: the routes and their Durable Objects. */
export { ClientSlots } from '#shared/streams/ClientSlots.ts'
export { EventFeed } from './EventFeed.ts'
export { default } from './index.ts'
