import type { Database } from '#schema/client.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { TokenBook, TokenReference } from '#shared/tokens/findTokenFacts.ts'
import type { Channels } from './channels/connectChannels.ts'

/** Dependencies of deliveries. */
export type DeliveryDeps = {
  database: Database
  channels: Channels
  /** rejects when the database fails; omits the tokens of a failing node */
  findTokens: (tokens: readonly TokenReference[]) => Promise<TokenBook>
  /** base URL of links */
  publicUrl: string | undefined
  /** Unix milliseconds */
  now: () => number
  /** from 0 to below 1 */
  random: () => number
  log: (entry: JsonObject) => void
}
