import { z } from 'zod'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { maxTokens } from './balanceParams.ts'
import { maxPollMs } from './computePollMs.ts'
import type { SlotRequest } from './countSlots.ts'

/** The namespace of the Durable Object `BalanceWatch`. */
type Watches = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

/** The namespace of the Durable Object `ClientSlots`. */
type Slots = {
  getByName: (name: string) => {
    take: (slot: string, request: SlotRequest) => Promise<boolean>
    free: (slot: string) => Promise<void>
  }
}

const count = z.coerce.number().int().positive()
const binding = <T>() => z.custom<T>((value) => value !== undefined, 'no binding')

/** What the accounts Worker needs of its environment. */
export const settingsSchema = z.object({
  RPC_URLS: networkUrlsSchema,
  WATCHES: binding<Watches>(),
  SLOTS: binding<Slots>(),
  /** streams of balances that one client may have open at once, */
  STREAMS_PER_CLIENT: count.default(50),
  /** that one account may have, */
  STREAMS_PER_ACCOUNT: count.default(2_000),
  /** and different tokens in all streams of one account */
  TOKENS_PER_ACCOUNT: count.min(maxTokens).default(500),
  /** after which a stream ends, and its client connects again */
  STREAM_LIFETIME_MS: count.default(1_800_000),
  /** how often a watch looks for a new block; by the network's block time when not given */
  BALANCES_POLL_MS: count.min(100).max(maxPollMs).optional(),
})

export type Settings = z.infer<typeof settingsSchema>
