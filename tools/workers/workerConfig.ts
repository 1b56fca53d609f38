/** A wrangler configuration, as far as deriving one touches it; everything else passes through. */
export type WorkerConfig = {
  name: string
  /** absolute path of the entry */
  main: string
  vars?: Record<string, string>
  services?: { binding: string; service: string }[]
  [field: string]: unknown
}
