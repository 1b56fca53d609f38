/** A Rate Limiting binding: `limit` calls with one key in `period` seconds. */
export type RateLimitBinding = { name: string; namespace_id: string; simple: { limit: number; period: number } }

/** A wrangler configuration, as far as deriving one touches it; everything else passes through. */
export type WorkerConfig = {
  name: string
  /** absolute path of the entry */
  main: string
  vars?: Record<string, string>
  services?: { binding: string; service: string }[]
  ratelimits?: RateLimitBinding[]
  [field: string]: unknown
}
