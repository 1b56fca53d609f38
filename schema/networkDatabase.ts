import type { Database } from './client.ts'

/** The rows of one network: what a handler takes to run queries, which begin with these two. */
export type NetworkDatabase = { database: Database; chainId: number }
