/** A Rate Limiting binding: `limit` calls with one key in `period` seconds. */
export type RateLimitBinding = { name: string; namespace_id: string; simple: { limit: number; period: number } }

/** A wrangler configuration, as far as deriving changes it; other fields pass through. */
export type WorkerConfig = {
  name: string
  /** absolute path of the entry */
  main: string
  vars?: Record<string, string>
  services?: { binding: string; service: string }[]
  ratelimits?: RateLimitBinding[]
  /** absolute path of the folder with the pages */
  assets?: { directory: string; [field: string]: unknown }
  queues?: {
    producers?: { binding: string; queue: string }[]
    consumers?: { queue: string; dead_letter_queue?: string }[]
  }
  r2_buckets?: { binding: string; bucket_name: string }[]
  [field: string]: unknown
}
