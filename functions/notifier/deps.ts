import type { Database } from '#schema/client.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { TokenBook, TokenReference } from '#shared/tokens/findTokenFacts.ts'
import type { Channels } from './channels/connectChannels.ts'

/** What deliveries need. */
export type DeliveryDeps = {
  database: Database
  channels: Channels
  /** rejects when the database fails; a node that fails leaves its tokens out */
  findTokens: (tokens: readonly TokenReference[]) => Promise<TokenBook>
  /** where paths of this service begin, for links */
  publicUrl: string | undefined
  now: () => Date
  /** from 0 to below 1 */
  random: () => number
  log: (entry: JsonObject) => void
}
